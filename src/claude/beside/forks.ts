/** git's contents of one file, at the forks of checkouts and at their heads. Four processes for any number of checkouts. */
import { gitAnswer } from '../../repo/git-answer.ts';

export interface Blob {
  readonly id: string;
  /** Null if it is too long. */
  readonly bytes: Buffer | null;
}

export interface Fork {
  /** The file at the merge bases: several after criss-cross merges, none if the histories are unrelated. Null: no such file. */
  readonly bases: readonly (Blob | null)[];
  /** Its last commit in that checkout. */
  readonly committed: Blob | null;
}

export interface ForkQuestion {
  readonly root: string;
  /** The file, relative to the root. */
  readonly file: string;
  /** Throws or returns zero when the time is up. */
  readonly left_ms: () => number;
  /** Object directories of other clones. */
  readonly behind: readonly string[];
}

const BLOB_BYTES = 1 << 20;

/** @param heads the commits of the other checkouts. Those that git cannot answer for are missing from the result. */
export function forksOf(asking: ForkQuestion, heads: readonly string[]): ReadonlyMap<string, Fork> {
  const bases = basesOf(asking, heads);
  const names = [...bases].flatMap(([head, each]) => [head, ...each].map((commit) => nameIn(commit, asking)));
  const ids = idsOf(asking, [...new Set(names)]);
  const blobs = blobsOf(asking, [...new Set([...ids.values()].flatMap((one) => one ?? []))]);
  const blobIn = (commit: string): Blob | null => {
    const id = ids.get(nameIn(commit, asking)) ?? null;
    return id === null ? null : { id, bytes: blobs.get(id) ?? null };
  };
  const forks = [...bases].filter(([head]) => ids.has(nameIn(head, asking)));
  return new Map(
    forks.map(([head, each]) => [head, { bases: each.map(blobIn), committed: blobIn(head) }] as const),
  );
}

const nameIn = (commit: string, { file }: ForkQuestion): string => `${commit}:${file}`;

/** If one head has no commit, git refuses all of them, so each is then asked alone. */
function basesOf(asking: ForkQuestion, heads: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { root, left_ms, behind } = asking;
  const args = ['rev-parse', ...heads.map((head) => `HEAD...${head}`)];
  const said = gitAnswer({ root, args, behind, limit_ms: left_ms() });
  if (said === null)
    return new Map(heads.length < 2 ? [] : heads.flatMap((head) => [...basesOf(asking, [head])]));
  // For each pair git prints both commits, and then their merge bases.
  const each: string[][] = [];
  let commits = 0;
  for (const line of said.toString().trim().split('\n'))
    if (line.startsWith('^')) each.at(-1)?.push(line.slice(1));
    else if (commits++ % 2 === 0) each.push([]);
  return new Map(heads.map((head, nth) => [head, each[nth] ?? []] as const));
}

/** Null if there is no such file. */
function idsOf(asking: ForkQuestion, names: readonly string[]): ReadonlyMap<string, string | null> {
  const args = ['cat-file', '--batch-check=%(objectname) %(objecttype) %(objectsize)'];
  const said = asked(asking, args, names);
  const lines = said === null ? [] : said.toString().split('\n');
  return new Map(
    names.slice(0, lines.length).map((name, nth) => {
      const [, id, size] = /^([0-9a-f]{40,64}) blob (\d+)$/.exec(lines[nth] ?? '') ?? [];
      return [name, id === undefined ? null : Number(size) > BLOB_BYTES ? `${id} ` : id] as const;
    }),
  );
}

/** A space at the end of an id marks a blob that is too long. */
function blobsOf(asking: ForkQuestion, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const wanted = ids.filter((id) => !id.endsWith(' '));
  const said = wanted.length === 0 ? null : asked(asking, ['cat-file', '--batch'], wanted);
  const found = new Map<string, Buffer>();
  for (let at = 0; said !== null && at < said.length;) {
    const end = said.indexOf(10, at);
    const [, id = '', size = '0'] = /^([0-9a-f]+) blob (\d+)$/.exec(said.toString('latin1', at, end)) ?? [];
    found.set(id, said.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return found;
}

const asked = ({ root, left_ms, behind }: ForkQuestion, args: readonly string[], names: readonly string[]) =>
  gitAnswer({ root, args, behind, input: names.map((name) => `${name}\n`).join(''), limit_ms: left_ms() });
