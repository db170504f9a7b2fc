/** What `guard init` does about the running guard: if its own location will not last, it is kept in the home. */
import { basename } from 'node:path';
import { isStandalone } from '../../repo/standalone.ts';
import { guardVersion } from '../guard-root.ts';
import { homeAround, requireOwnPlace } from './home.ts';
import { readPointer } from './pointer.ts';
import { type Settled, settleProgram } from './settle.ts';

export interface KeptProgram {
  /** Package directory of the running guard. */
  readonly running: string;
  /** The path recorded for it (recordedRoot). */
  readonly guard_root: string;
  readonly repo_root: string;
}

/** `null` if the running guard stays where it is. @throws GuardError GUARD_ERR_PATH, and those of settleProgram */
export function keepProgram({ running, guard_root, repo_root }: KeptProgram, now_ms: number): Settled | null {
  if (running === guard_root) return null;
  requireOwnPlace(guard_root, repo_root);
  // A standalone binary runs from the home, and may be another of the version that is in use.
  const isInUse = homeAround(running) !== null && !(isStandalone() && isOther(running, guard_root));
  return isInUse ? null : settleProgram(running, guard_root, now_ms);
}

const isOther = (running: string, home: string): boolean => readPointer(home)?.dir !== basename(running);

/** An older guard leaves a newer one in use. */
export function keptNote(kept: Settled | null): readonly string[] {
  const mine = guardVersion();
  if (kept === null || kept.version === mine) return [];
  return [
    `guard ${kept.version} in ${kept.home} stays in use; this one is ${mine}. To go back to it, remove that directory and run "guard init" again.`,
  ];
}
