/**
 * `guard off --for 10m`: a person lets every write pass for a while. A file in the state directory, so it applies
 * immediately to every session of the repository, and expires by itself. Loaded by the hook bundle.
 */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { type Off, runningPause } from '../core/policy/pause.ts';
import type { Now } from '../core/types.ts';
import { textOf } from '../repo/small-file.ts';

export const OFF_FILE = 'off.json';

/** `null` if guard is on; an unreadable or foreign file is not a pause. */
export const readOff = (stateDir: string, now: Now, name: string = OFF_FILE): Off | null =>
  runningPause(parse(join(stateDir, name)), now);

/** True if there was a pause to end. */
export function endOff(stateDir: string, now: Now): boolean {
  const was_off = readOff(stateDir, now) !== null;
  rmSync(join(stateDir, OFF_FILE), { force: true });
  return was_off;
}

/** A file that belongs to another user is ignored. */
const parse = (file: string): unknown =>
  attempt((): unknown => {
    const uid = process.getuid?.();
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined || (uid !== undefined && found.uid !== uid)) return null;
    return JSON.parse(textOf(file) ?? 'null');
  }, null);
