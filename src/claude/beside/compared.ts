/** A file in all other checkouts: what an agent knows already, and what is new to it. No process is started. */
import { join, relative } from 'node:path';
import { digestBytes } from '../../repo/digest.ts';
import { nameHash } from '../../repo/name-hash.ts';
import { otherCheckouts, rootInLedger } from '../../repo/other-checkouts.ts';
import { stampOf } from '../../repo/stat-key.ts';
import type { Located } from '../events/targets.ts';
import type { Fresh } from './fresh.ts';
import type { KnownBeside } from './known.ts';
import { readBounded } from './read-bounded.ts';

const NO_FILE = '-';

interface Compared {
  /** Marks of what is no news. */
  readonly same: readonly string[];
  readonly fresh: readonly Fresh[];
  readonly roots: ReadonlyMap<string, string>;
}

/** By the stamp of a file that was looked at before: 51 take a list and 50 looks. Else by its content. */
export function compared({ target, space }: Located, mine: Buffer | null, known: KnownBeside): Compared {
  const file = relative(space.repo.root, target.real);
  const old = new Set(known.marks.get(target.path));
  const same: string[] = [];
  const fresh: Fresh[] = [];
  const roots = new Map<string, string>();
  for (const id of otherCheckouts(space.repo)) {
    const before = known.roots.get(id);
    const at = before === undefined ? '' : stampOf(`${before}/${file}`).key;
    // A file that was known is the same one wherever its checkout went.
    const isOld = at !== '' && old.has(nameHash(at));
    const root = isOld ? (before ?? null) : rootInLedger(space.repo, id);
    if (root === null) continue;
    roots.set(id, root);
    const found = isOld ? nameHash(at) : contentOf(id, root, { file, mine, old });
    if (typeof found === 'string') same.push(found);
    else if (found !== null) fresh.push(found);
  }
  return { same, fresh, roots };
}

interface Own {
  readonly file: string;
  readonly mine: Buffer | null;
  readonly old: ReadonlySet<string>;
}

/** Its mark where it is no news; null: nothing that can be compared. */
function contentOf(id: string, root: string, { file, mine, old }: Own): Fresh | string | null {
  const path = join(root, file);
  const { key, mtime_ms } = stampOf(path);
  const bytes = key === '' ? null : readBounded(path);
  if (bytes === null && key !== '') return null;
  const stamp = bytes === null ? NO_FILE : nameHash(key);
  if (bytes === null ? mine === null || old.has(NO_FILE) : mine?.equals(bytes) === true) return stamp;
  const digest = bytes === null ? NO_FILE : digestBytes(bytes);
  return old.has(digest.slice(0, 16))
    ? stamp
    : { id, root, bytes, digest, mtime_ms, marks: [stamp, digest.slice(0, 16)] };
}
