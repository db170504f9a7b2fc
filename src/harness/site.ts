/** Where the harness works: the ledger of a repository, its configuration, and the caller's surroundings. */
import { loadHarness } from '../config/harness.ts';
import type { HarnessConfig } from '../config/harness.ts';
import { loadConfig } from '../config/load.ts';
import type { DraftAnswer, DraftEvent } from '../core/rules/drafting.ts';
import { asDraftState, draftKey, draftsIn, isOver, sessionAgent } from '../core/drafts.ts';
import type { DraftState } from '../core/drafts.ts';
import type { Who } from '../core/rules/agent.ts';
import { GuardError } from '../core/error.ts';
import { mayOnlyLook, roleRefusal } from '../core/policy/role.ts';
import type { AgentId, Facts } from '../core/types.ts';
import { guardCommand } from '../install/guard-command.ts';
import { readNow } from '../repo/clock.ts';
import type { Repo } from '../repo/locate.ts';
import { isDead, machineId } from '../repo/process.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { spelledAt } from '../repo/spelled.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { operate } from '../store/operate.ts';
import type { Dispatch } from './context.ts';
import { withEnd } from './history.ts';
import { mainRoot } from './inside.ts';
import { openTasks } from './tasks.ts';
import type { Tasks } from './tasks.ts';
import { consult } from '../store/transact.ts';

export interface Site {
  readonly repo: Repo;
  /** Root of the main checkout: tasks and roles are there. */
  readonly root: string;
  readonly env: Environment;
  readonly store: Store;
  readonly config: HarnessConfig;
  readonly tasks: Tasks;
  facts(): Facts;
  run(event: Omit<DraftEvent, 'type'> | DraftEvent): DraftAnswer;
  close(): void;
}

export function openSite(repo: Repo, env: Environment): Site {
  const { policy, durability } = loadConfig({ repo, env });
  const config = loadHarness({ repo, env });
  const store = openStore({ dir: repo.state_dir, now: readNow, durability });
  const root = mainRoot(repo);
  const facts = (): Facts => ({
    now: readNow(),
    policy,
    isDead,
    machine: machineId(),
    guard_command: guardCommand(repo),
    spelled: spelledAt(repo),
  });
  return {
    repo,
    root,
    env,
    store,
    config,
    tasks: openTasks(root, config.tasks_dir, (dispatch) => completed(store, dispatch)),
    facts,
    run: (event) => operate(store, { ...event, type: 'draft' } as DraftEvent, facts()),
    close: () => store.close(),
  };
}

/** A supervisor that dies after the end is in the ledger has not written it into the history. */
function completed(store: Store, dispatch: Dispatch): Dispatch {
  const draft = dispatch.ended === null ? draftOf({ store }, dispatch.agent) : null;
  return draft !== null && isOver(draft) ? withEnd(dispatch, draft) : dispatch;
}

export const allDrafts = ({ store }: Pick<Site, 'store'>): DraftState[] => consult(store, draftsIn);

/** The same, for who asks again and again: only what is new since the last time is read. */
export function followDrafts({ store }: Pick<Site, 'store'>): () => DraftState[] {
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

export function draftOf({ store }: Pick<Site, 'store'>, id: AgentId): DraftState | null {
  const key = draftKey(id);
  return asDraftState(store.look([key]).get(key)) ?? null;
}

/** A drafted agent as the ledger's rules know it. */
export const whoOf = (id: AgentId, session: string): Who => ({
  id,
  kind: 'session',
  parent: null,
  session,
  proc: null,
});

/** @throws GuardError GUARD_ERR_AGENT when the caller is a drafted agent that may only look */
export function checkAccess(site: Site, caller: AgentId, doing: 'await' | 'end'): void {
  if (!mayOnlyLook(draftOf(site, sessionAgent(caller)))) return;
  throw new GuardError('GUARD_ERR_AGENT', ...roleRefusal(doing), { agent: caller });
}

export function unknownAgent(id: AgentId): GuardError {
  return new GuardError(
    'GUARD_ERR_AGENT',
    `No agent ${id} was drafted here.`,
    'guard agent list names them.',
    {
      agent: id,
    },
  );
}
