/** The author of a content in another checkout, and its changes since the fork; null if there is nothing to report. */
import { inMain } from '../../core/lease-scope.ts';
import { pathKey } from '../../core/keys.ts';
import type { Hunk, Neighbour } from '../../core/neighbours.ts';
import { asPathState } from '../../core/states.ts';
import { pathIn } from '../../core/worktrees.ts';
import { branchOf } from '../../repo/branch-of.ts';
import type { Hook } from '../context.ts';
import type { Located } from '../events/targets.ts';
import type { Blob, Fork } from './forks.ts';
import type { Fresh } from './fresh.ts';
import { hunksBetween, linesIn } from './hunks.ts';

const LFS = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n/;

export function neighbourOf(
  hook: Hook,
  { target, space }: Located,
  one: Fresh,
  fork: Fork,
): Neighbour | null {
  const { id, bytes, digest, mtime_ms } = one;
  const isSame = (blob: Blob | null): boolean => holds(blob, bytes, digest);
  // Unrelated histories do not show who changed it.
  if (fork.bases.length === 0 || fork.bases.some(isSame)) return null;
  const base = fork.bases[0] ?? null;
  const key = pathKey(pathIn(id, inMain(target.path)));
  const { last_write: last } = asPathState(space.cache.get([key])(key));
  const isLast = last !== null && last.digest === (bytes === null ? null : digest);
  if (isLast && [hook.who.id, hook.who.parent].includes(last.agent)) return null;
  return {
    checkout: id,
    branch: branchOf(space.repo, id),
    agent: isLast ? last.agent : null,
    does: bytes === null ? 'deleted' : base === null ? 'added' : 'changed',
    is_committed: isSame(fork.committed),
    since_wall_ms: isLast ? (last.wall_ms ?? mtime_ms) : mtime_ms,
    hunks: changedLines(base, bytes),
  };
}

function changedLines(base: Blob | null, bytes: Buffer | null): readonly Hunk[] | null {
  const before = base === null ? [] : base.bytes === null ? null : linesIn(base.bytes);
  const now = bytes === null ? [] : linesIn(bytes);
  return before === null || now === null ? null : hunksBetween(before, now);
}

/** Ignores line endings, which git's settings change; for LFS the pointer names the content. */
function holds(blob: Blob | null, bytes: Buffer | null, digest: string): boolean {
  if (blob === null || bytes === null) return blob === null && bytes === null;
  if (blob.bytes === null) return false;
  if (blob.bytes.equals(bytes)) return true;
  const text = blob.bytes.toString('latin1');
  if (LFS.test(text)) return text.includes(`\noid sha256:${digest}\n`);
  const unix = (each: Buffer): string => each.toString('latin1').replaceAll('\r\n', '\n');
  return unix(blob.bytes) === unix(bytes);
}
