/**
 * Whether a state directory is trusted, which is not the same as whether it exists: an archive, a copy, another user or
 * another home directory can put a state directory into a repository, and its content decides who may write. Only one
 * that this user's guard created here is used; any other is a reason to deny (docs/decisions/070).
 * hooks/guard-hook.cjs makes the same checks in the same order.
 */
import { lstatSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import { type Install, readInstall } from '../install.ts';
import { faultOfJoined } from '../joined.ts';
import type { Repo } from '../repo.ts';
import type { Environment } from '../user-dirs.ts';
import { adoptState } from './adopt.ts';
import { anchorOf, identity, isSame, readMark } from './mark.ts';
import { beliefRefusal } from './refusal.ts';
import type { Fault } from './fault.ts';

type Place = Pick<Repo, 'state_dir' | 'common_dir' | 'root' | 'joined'>;

/** Null if trusted. Throws GUARD_ERR_STATE_DIR and GUARD_ERR_VERSION as `readInstall` does. */
export function faultOf(place: Place, env: Environment, known?: Map<string, Install>): Fault | null {
  if (place.joined) return faultOfJoined(place, place.joined, (one) => faultOf(one, env, known));
  const stat = lstatSync(place.state_dir, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return 'gone';
  if (!stat.isDirectory()) return stat.isSymbolicLink() ? 'link' : 'file';
  const uid = process.getuid?.();
  if (uid !== undefined && Number(stat.uid) !== uid) return 'owner';
  if (uid !== undefined && (Number(stat.mode) & 0o077) !== 0) return 'mode';
  const { id } = readInstall(place.state_dir, known);
  const mark = readMark(anchorOf(place), env);
  if (id === undefined) {
    // Adopting it gives it an id.
    known?.delete(place.state_dir);
    return adoptState(place, env, mark) ? null : 'unmarked';
  }
  if (mark?.id !== id) return 'unmarked';
  return isSame(mark.state, identity(stat)) ? null : 'copied';
}

/** Throws GUARD_ERR_STATE_DIR or GUARD_ERR_NOT_INITIALISED with the step that repairs it; `facts.fault` has the reason. */
export function requireBelieved(place: Place, env: Environment, known?: Map<string, Install>): void {
  const fault = faultOf(place, env, known);
  if (fault !== null) throw beliefRefusal(place, fault);
}

export const isBelieved = (place: Place, env: Environment): boolean =>
  attempt(() => faultOf(place, env) === null, false);
