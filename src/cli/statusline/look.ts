/** Looks up what a session's status line shows, once; writes nothing, and throws no failure. */
import { glanceOf } from '../../core/glance.ts';
import { isGuardError } from '../../core/error.ts';
import { asObject, asText, parsedObject } from '../../core/json-object.ts';
import { readOff } from '../../install/off.ts';
import { openClock } from '../../repo/clock.ts';
import type { Repo } from '../../repo/locate.ts';
import { consult } from '../../store/transact.ts';
import type { Surroundings } from '../../workspace/workspace.ts';
import { repoHere } from '../command-place.ts';
import { workspaceAround } from '../workspace.ts';
import type { SessionSeen } from './line.ts';

/** The line is requested again in a moment. */
const LOCK_DEADLINE_MS = 300;

/** @param given the client's text on standard input: JSON with `session_id`, `cwd` and `workspace` */
export function seeSession(given: string, around: Surroundings): SessionSeen {
  const input = parsedObject(given);
  const session = asText(input['session_id']) || (around.env['CLAUDE_CODE_SESSION_ID'] ?? '');
  try {
    const found = repoOf(input, around);
    if (found === null) return { state: 'not_set_up', off_ms: null };
    return session === '' ? { state: 'no_session', off_ms: null } : lookIn(found, session, around);
  } catch (error) {
    return { state: { code: isGuardError(error) ? error.code : 'GUARD_ERR_INTERNAL' }, off_ms: null };
  }
}

function lookIn({ repo, cwd }: Found, session: string, { env }: Surroundings): SessionSeen {
  const now = openClock();
  const off = readOff(repo.state_dir, now());
  const space = workspaceAround({ cwd, env }, [], { now, lock_deadline_ms: LOCK_DEADLINE_MS });
  try {
    const facts = space.facts();
    const state = consult(space.store, (view) => glanceOf(view, `claude-${session}`, facts));
    const off_ms = off === null ? null : off.until_wall_ms - facts.now.wall_ms;
    return { state: state ?? 'never_joined', off_ms };
  } finally {
    space.close();
  }
}

interface Found {
  readonly repo: Repo;
  readonly cwd: string;
}

/** Where the session is now, or else where it was started, which is where its hooks are. */
function repoOf(input: ReturnType<typeof parsedObject>, { cwd, env }: Surroundings): Found | null {
  const workspace = asObject(input['workspace']);
  const said = [workspace['current_dir'], workspace['project_dir'], input['cwd']].map(asText);
  for (const dir of new Set([...said.filter((one) => one !== ''), cwd])) {
    const repo = repoHere({ cwd: dir, env });
    if (repo.initialised) return { repo, cwd: dir };
  }
  return null;
}
