/** On whose behalf git runs a hook. */
import { innermost } from '../../claude/hosts/host.ts';
import { isGuardError } from '../../core/error.ts';
import type { Committer } from '../../core/rules/commit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { sessionOf } from '../agent-id.ts';
import { callerOf, outsider } from '../caller.ts';
import { personId } from '../person.ts';
import type { Shell } from '../shell.ts';

/** While the engine of a shared ledger is away, it may be unknown which agent of its session it is. */
const UNKNOWN = ['GUARD_ERR_SPEAKER', 'GUARD_ERR_USAGE', 'GUARD_ERR_ENGINE_AWAY'];

/** If the agent of a session is unknown, any agent of that session; if nothing is known, a person. */
export function gitCaller(space: Workspace, { env }: Pick<Shell, 'env'>): Committer {
  try {
    return { who: callerOf(space, undefined), is_any: false };
  } catch (error) {
    if (!isGuardError(error) || !UNKNOWN.includes(error.code)) throw error;
    const session = sessionOf(innermost(env));
    const who = outsider(session === null ? personId(env) : `claude-${session}`);
    return { who, is_any: session !== null };
  }
}
