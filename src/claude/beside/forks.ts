/** Of one file, by git: what it was where checkouts forked, and what is committed in them. Four processes, however many checkouts. */
import { gitAnswer } from '../../repo/git-answer.ts';

export interface Blob {
  readonly id: string;
  /** Null: too long. */
  readonly bytes: Buffer | null;
}

export interface Fork {
  /** The file where the two forked; several after merges to and fro, none where the histories have nothing in common. Null: no such file. */
  readonly bases: readonly (Blob | null)[];
  /** Its last commit there. */
  readonly committed: Blob | null;
}

export interface ForkQuestion {
  readonly root: string;
  /** The file, from the root. */
  readonly file: string;
  /** Throws, or is zero, when time is up. */
  readonly left_ms: () => number;
  /** Where objects of other clones are. */
  readonly behind: readonly string[];
}

const BLOB_BYTES = 1 << 20;

/** @param heads of the other checkouts. Those of which git can say nothing are not in the answer. */
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

/** A head without a commit makes git refuse all of them. */
function basesOf(asking: ForkQuestion, heads: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { root, left_ms, behind } = asking;
  const args = ['rev-parse', ...heads.map((head) => `HEAD...${head}`)];
  const said = gitAnswer({ root, args, behind, limit_ms: left_ms() });
  if (said === null)
    return new Map(heads.length < 2 ? [] : heads.flatMap((head) => [...basesOf(asking, [head])]));
  // Of each two commits, and then where they forked.
  const each: string[][] = [];
  let commits = 0;
  for (const line of said.toString().trim().split('\n'))
    if (line.startsWith('^')) each.at(-1)?.push(line.slice(1));
    else if (commits++ % 2 === 0) each.push([]);
  return new Map(heads.map((head, nth) => [head, each[nth] ?? []] as const));
}

/** Null: no such file. */
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

/** A space behind its name: too long. */
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
