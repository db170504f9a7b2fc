/** Whether one of guard's hooks named the caller: its seal is valid, and was not used before. */
import fs from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { callSeal } from '../claude/events/sign-call.ts';
import { GuardError } from '../core/error.ts';
import type { AgentId } from '../core/types.ts';
import { errnoOf } from '../repo/errno.ts';
import { readKey } from '../repo/key.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { seal } from '../repo/seal.ts';
import { type Environment, userStateDir } from '../repo/user-dirs.ts';

const FORM = /^(\S{1,200}) ([\w.:-]{1,200}) (\d{1,15}) ([0-9a-f]{64})$/;

/**
 * `null` for text that is not a signature, does not fit a call of this tool, or was used before.
 * @throws GuardError GUARD_ERR_IO if its use cannot be recorded
 */
export function signerOf(said: string, tool: string, env: Environment): AgentId | null {
  const [, agent = '', id = '', at = '', given = ''] = FORM.exec(said) ?? [];
  const key = given === '' ? null : readKey(env);
  if (key === null || callSeal(key, { agent, tool, id }, Number(at)) !== given) return null;
  const name = seal(key, 'used', agent, id).slice(0, 32);
  const dir = join(userStateDir(env), 'calls');
  try {
    return useOnce(dir, name, Number(at)) ? agent : null;
  } catch (error) {
    const hint = `Nothing was done. ${dir} must be a directory that you can write, on a disk that is not full.`;
    throw new GuardError('GUARD_ERR_IO', `${dir} cannot be written.`, hint, { dir }, error);
  }
}

/** How many uses are remembered. A call may stay open for any length of time; only one older than all of these is too old. */
const KEPT = 4_096;
const HORIZON = 'horizon';

/** The file of a call can be created only once, whichever server is asked. */
function useOnce(dir: string, name: string, signed_wall_ms: number): boolean {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (signed_wall_ms <= horizonOf(dir)) return false;
  try {
    fs.closeSync(fs.openSync(join(dir, name), 'wx', 0o600));
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  // Names are evenly distributed: one call in 256 checks whether it is time.
  if (name.startsWith('00')) forgetOldest(dir, KEPT);
  return true;
}

const horizonOf = (dir: string): number =>
  attempt(() => Number(fs.readFileSync(join(dir, HORIZON), 'utf8')) || 0, 0);

/** A forgotten signature cannot be used again: nothing signed before the last forgotten use is accepted any more. */
export function forgetOldest(dir: string, kept: number): void {
  const used = fs
    .readdirSync(dir)
    .filter((name) => /^[0-9a-f]{32}$/.test(name))
    .map((name) => ({
      file: join(dir, name),
      at_ms: fs.lstatSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at_ms - a.at_ms);
  if (used.length <= kept) return;
  const old = used.slice(Math.floor(kept / 2));
  const horizon = Math.max(horizonOf(dir), ...old.slice(0, 1).map(({ at_ms }) => Math.ceil(at_ms)));
  replaceWhole(join(dir, HORIZON), String(horizon));
  for (const { file } of old) fs.rmSync(file, { force: true });
}
