/** A workspace of the harness: a workspace with the tasks and roles of its repository. */
import { type HarnessConfig, loadHarness } from '../config/harness.ts';
import { asDraftState, draftKey, draftsIn, type DraftState, isOver, sessionAgent } from '../core/drafts.ts';
import type { Who } from '../core/rules/who.ts';
import { GuardError } from '../core/error.ts';
import { mayOnlyLook, roleRefusal } from '../core/policy/role.ts';
import type { AgentId, ProcessMark } from '../core/types.ts';
import { openClock } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { mainRoot } from '../repo/main-root.ts';
import { isDead, machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { Dispatch } from './context.ts';
import { withEnd } from './history.ts';
import { openTasks, type Tasks } from './tasks.ts';
import { consult } from '../store/transact.ts';
import { openWorkspace, type Workspace } from '../workspace/workspace.ts';

export interface HarnessWorkspace extends Workspace {
  /** Root of the main checkout, which has the tasks and roles. */
  readonly root: string;
  readonly harness: HarnessConfig;
  readonly tasks: Tasks;
  /** Set in the supervisor of that agent, whose actions are not those of any agent. */
  readonly looks_after?: AgentId;
  /** Informed of each call of `on_end`, because the ledger may not take a note of it. */
  readonly onEndCalled?: (id: AgentId) => void;
}

/** How long to wait for another process. */
const LOCK_DEADLINE_MS = 4_000;

export function openHarness(repo: Repo, env: Environment): HarnessWorkspace {
  const root = mainRoot(repo);
  const around = { state_dir: repo.state_dir, cwd: root, env, lock_deadline_ms: LOCK_DEADLINE_MS };
  const space = openWorkspace(repo, { ...around, now: openClock(), isDead });
  const harness = loadHarness({ repo, env });
  const tasks = openTasks(root, harness.tasks_dir, (dispatch) => completed(space, dispatch));
  return { ...space, root, harness, tasks };
}

/** A supervisor that dies after recording the end in the ledger has not written it to the history. */
function completed({ store }: Workspace, dispatch: Dispatch): Dispatch {
  const draft = dispatch.ended === null ? draftOf({ store }, dispatch.agent) : null;
  return draft !== null && (isOver(draft) || (draft.dispatch ?? 1) > (dispatch.nth ?? 1))
    ? withEnd(dispatch, draft)
    : dispatch;
}

export const allDrafts = ({ store }: Pick<Workspace, 'store'>): DraftState[] => consult(store, draftsIn);

/** The same for repeated calls: each reads only what is new since the last. */
export function followDrafts({ store }: Pick<Workspace, 'store'>): () => DraftState[] {
  const known = new Map<AgentId, DraftState>();
  let since = 0;
  return () => {
    const next = store.tip();
    const fresh = consult(store, (view) => draftsIn({ range: (prefix) => view.range(prefix, since) }));
    for (const draft of fresh) known.set(draft.id, draft);
    since = next;
    return [...known.values()];
  };
}

export function draftOf({ store }: Pick<Workspace, 'store'>, id: AgentId): DraftState | null {
  const key = draftKey(id);
  return asDraftState(store.look([key]).get(key)) ?? null;
}

/** A mark as this machine's kernel knows it: in a shared ledger, marks carry the machine's name there. */
export function markHere({ facts }: Pick<Workspace, 'facts'>, mark: ProcessMark): ProcessMark {
  return mark.machine === facts().machine ? { ...mark, machine: machineId() } : mark;
}

/** A drafted agent as the ledger's rules see it. */
export const whoOf = (id: AgentId, session: string): Who => ({
  id,
  kind: 'session',
  parent: null,
  session,
  proc: null,
});

/** @throws GuardError GUARD_ERR_AGENT if the caller is a drafted agent with read-only access */
export function checkAccess(space: Workspace, caller: AgentId, doing: 'await' | 'end'): void {
  if (!mayOnlyLook(draftOf(space, sessionAgent(caller)))) return;
  throw new GuardError('GUARD_ERR_AGENT', ...roleRefusal(doing), { agent: caller });
}

export function unknownAgent(id: AgentId): GuardError {
  const hint = 'Run: guard agent list';
  return new GuardError('GUARD_ERR_AGENT', `No agent ${id} was drafted here.`, hint, {
    field: 'agentId',
    agent: id,
  });
}
