/** Compares a file with its copies in all other checkouts: what the agent already knows, and what is new to it. Starts no process. */
import { join, relative } from 'node:path';
import { digestBytes } from '../../repo/digest.ts';
import { otherCheckouts } from '../../repo/other-checkouts.ts';
import type { Located } from '../events/targets.ts';
import type { Fresh } from './fresh.ts';
import type { KnownBeside } from './known.ts';
import { COMPARED_BYTES_MAX, readBounded } from './read-bounded.ts';
import { type FileMark, fileMarkOf } from './file-mark.ts';
import { rootBeside } from './root-beside.ts';
import { samenessOf } from './sameness.ts';

const NO_FILE = '-';

interface Compared {
  /** Marks of contents that are not news. */
  readonly same: readonly string[];
  readonly fresh: readonly Fresh[];
  readonly roots: ReadonlyMap<string, string>;
}

/** A file that was looked at before is compared by its mark (51 take a list and 50 stats), any other by its content, before it is digested. */
export function compared({ target, space }: Located, mine: Buffer | null, known: KnownBeside): Compared {
  const file = relative(space.repo.root, target.real);
  const own = { file, mine, old: new Set(known.marks.get(target.path)), isMine: samenessOf(mine) };
  const same: string[] = [];
  const fresh: Fresh[] = [];
  const roots = new Map<string, string>();
  for (const id of otherCheckouts(space.repo)) {
    const before = known.roots.get(id);
    const at = before === undefined ? null : fileMarkOf(`${before}/${file}`);
    // A known file is the same one wherever its checkout moved.
    const isOld = at !== null && own.old.has(at.mark);
    const root = isOld ? (before ?? null) : rootBeside(space.repo, id);
    if (root === null) continue;
    roots.set(id, root);
    const found = isOld ? at.mark : contentOf(id, root, own);
    if (typeof found === 'string') same.push(found);
    else if (found !== null) fresh.push(found);
  }
  return { same, fresh, roots };
}

interface Own {
  readonly file: string;
  readonly mine: Buffer | null;
  readonly old: ReadonlySet<string>;
  readonly isMine: (path: string, at: FileMark) => boolean;
}

/** Its mark if it is not news; null if it cannot be compared. */
function contentOf(id: string, root: string, { file, mine, old, isMine }: Own): Fresh | string | null {
  const path = join(root, file);
  const at = fileMarkOf(path);
  if (at === null) {
    if (mine === null || old.has(NO_FILE)) return NO_FILE;
    return { id, root, bytes: null, digest: NO_FILE, mtime_ms: null, marks: [NO_FILE, NO_FILE] };
  }
  if (isMine(path, at)) return at.mark;
  const bytes = at.bytes > COMPARED_BYTES_MAX ? null : readBounded(path);
  if (bytes === null) return null;
  const digest = digestBytes(bytes);
  const short = digest.slice(0, 16);
  return old.has(short)
    ? at.mark
    : { id, root, bytes, digest, mtime_ms: at.mtime_ms, marks: [at.mark, short] };
}
