/** Puts file contents that hooks see into the content store, for `guard undo`, `guard blame` and the difference in STALE_FILE. */
import { undoLimits } from '../core/undo-limits.ts';
import { asksForSweep } from '../contents/due.ts';
import { keepContent } from '../contents/keep-content.ts';
import type { Target } from '../repo/canonical.ts';
import type { HookSpace, Hook } from './context.ts';
import { startTidy } from './start-tidy.ts';

/** Bytes already in memory, with their digest. */
export interface SeenBytes {
  readonly digest: string | null;
  readonly bytes?: Uint8Array | undefined;
}

export type NamedTarget = Pick<Target, 'path' | 'abs'>;

/** Never fails and never waits: content that cannot be kept cannot be restored, and the command that asks for it says so. */
export function keep(
  { dry, now }: Hook,
  space: HookSpace,
  { path, abs }: NamedTarget,
  { digest, bytes }: SeenBytes,
): void {
  // No copies are made of files that no repository guards.
  if (dry || digest === null || bytes === undefined || !space.repo.initialised) return;
  const { state_dir, config } = space;
  const store = { state_dir, wall_ms: now.wall_ms, limits: undoLimits(config.undo) };
  const kept = keepContent(store, { path, abs, digest, bytes });
  if (kept === 'new' && asksForSweep(digest, bytes.length)) startTidy(space, '--contents');
}
