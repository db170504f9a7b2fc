// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The life of a drafted agent: begun, looked after, running, asked to end, over. */
import { usageOf } from '../agent-limits.ts';
import { asDraftState, draftKey, draftsIn, isOver, NO_USAGE, sessionAgent, treeBelow } from '../drafts.ts';
import type { AgentLimits, Bounds, DraftState, Ending, Usage, WorktreeState } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { mayOnlyLook } from '../policy/role.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, Facts, ProcessMark } from '../types.ts';
import { letGo, type Who } from './agent.ts';
import { presentIn } from './opened.ts';
import { record, type Step } from './transaction.ts';

/** `access`: its role may only look. `ended`: the drafter, or the agent, is over. */
export type DraftRefusal = 'access' | 'depth' | 'running' | 'budget' | 'ended' | 'unknown';

export interface DraftAnswer {
  readonly draft: DraftState | null;
  readonly refused: { readonly why: DraftRefusal; readonly limit: number | null } | null;
}

/** `who`: the drafter for `begin`, the killer for `kill`, else the drafted agent itself. */
export type DraftEvent = { readonly type: 'draft'; readonly who: Who } & (
  | ({ readonly phase: 'begin' } & Begin)
  | { readonly phase: 'supervise'; readonly supervisor: ProcessMark | null }
  | { readonly phase: 'run'; readonly client: ProcessMark | null; readonly worktree: WorktreeState | null }
  | { readonly phase: 'progress'; readonly usage: Usage; readonly last_output: string }
  | { readonly phase: 'kill'; readonly id: AgentId; readonly reason: string }
  | ({ readonly phase: 'exit' } & Ending)
);

type EventOf<P extends DraftEvent['phase']> = Extract<DraftEvent, { readonly phase: P }>;

interface Begin extends Pick<DraftState, 'role' | 'category' | 'access' | 'task' | 'limits' | 'name'> {
  readonly agent: Who;
  readonly bounds: Bounds;
  readonly drafter: ProcessMark | null;
}

export function drafting(view: View, event: DraftEvent, facts: Facts): Step<DraftAnswer> {
  const { who } = event;
  const id = event.phase === 'begin' ? event.agent.id : event.phase === 'kill' ? event.id : who.id;
  if (event.phase === 'begin') return begin(view, event, facts);
  const state = asDraftState(view.get(draftKey(id)));
  if (state === undefined) return no('unknown', null);
  if (event.phase === 'kill' && mayOnlyLook(drafterOf(view, who))) return no('access', state);
  if (isOver(state)) return no('ended', state);
  return event.phase === 'exit' ? exit(view, state, event, facts) : note(view, state, event, facts);
}

const no = (why: DraftRefusal, draft: DraftState | null, limit: number | null = null): Step<DraftAnswer> => ({
  records: [],
  result: { draft, refused: { why, limit } },
});

const drafterOf = (view: View, who: Who): DraftState | undefined =>
  asDraftState(view.get(draftKey(sessionAgent(who.id))));

function begin(view: View, event: EventOf<'begin'>, facts: Facts): Step<DraftAnswer> {
  const { agent, who, role, category, access, task, limits, name } = event;
  const known = asDraftState(view.get(draftKey(agent.id)));
  if (known !== undefined) return { records: [], result: { draft: known, refused: null } };
  const parent = drafterOf(view, who);
  if (parent !== undefined && (isOver(parent) || parent.kill !== null)) return no('ended', null);
  if (mayOnlyLook(parent)) return no('access', null);
  const depth = (parent?.depth ?? 0) + 1;
  const bounds = tighter(event.bounds, parent?.bounds);
  if (depth > bounds.depth) return no('depth', null, bounds.depth);
  const all = draftsIn(view);
  if (all.filter((draft) => !isOver(draft)).length >= bounds.running)
    return no('running', null, bounds.running);
  const root = all.find(({ id }) => id === parent?.root);
  if (root !== undefined && isSpent(treeBelow(all, root.id), root.limits)) return no('budget', null);
  const state: DraftState = {
    id: agent.id,
    session: agent.session ?? '',
    ...{ role, category, access, task, limits, bounds, depth, drafted_by: who.id },
    ...(name === undefined ? {} : { name }),
    parent: parent?.id ?? null,
    root: parent?.root ?? agent.id,
    status: 'starting',
    usage: NO_USAGE,
    supervisor: event.drafter,
    client: null,
    started_wall_ms: facts.now.wall_ms,
    started_mono_ms: facts.now.mono_ms,
    ended_wall_ms: null,
    kill: null,
    reason: null,
    exit_code: null,
    signal: null,
    last_output: '',
    result: null,
    worktree: null,
  };
  const changes = changesOver(view);
  // It is an agent before its first event, so that whatever it waits for or is chosen for finds it.
  const joined = presentIn(changes, agent, facts, view.next);
  changes.setAgent({ ...joined, drafted_by: who.id });
  changes.set(draftKey(state.id), state);
  record({ changes, agent: state, facts }, 'draft', { drafted_by: who.id, role, task, depth, phase: 'begin' });
  return stepWith(changes, state);
}

/** A drafted agent may have its commands read another configuration than its drafter's. */
const tighter = (own: Bounds, given: Bounds = own): Bounds => ({
  depth: Math.min(own.depth, given.depth),
  running: Math.min(own.running, given.running),
});

function isSpent(tree: readonly DraftState[], { tree_turns, tree_cost_usd }: AgentLimits): boolean {
  const { turns, cost_usd } = usageOf(tree);
  return (
    (tree_turns !== null && turns >= tree_turns) || (tree_cost_usd !== null && cost_usd >= tree_cost_usd)
  );
}

type Noted = EventOf<'supervise' | 'run' | 'progress' | 'kill'>;

function note(view: View, before: DraftState, event: Noted, facts: Facts): Step<DraftAnswer> {
  const { phase } = event;
  const state: DraftState = { ...before, ...changeOf(before, event) };
  const told = phase === 'kill' ? { by: event.who.id, reason: event.reason } : {};
  const changes = changesOver(view);
  changes.set(draftKey(state.id), state);
  record({ changes, agent: state, facts }, 'draft', { ...told, phase });
  return stepWith(changes, state);
}

function changeOf(state: DraftState, event: Noted): Partial<DraftState> {
  if (event.phase === 'supervise') return { supervisor: event.supervisor };
  if (event.phase === 'run') return { status: 'running', client: event.client, worktree: event.worktree };
  if (event.phase === 'progress') return { usage: event.usage, last_output: event.last_output };
  return { kill: state.kill ?? { by: event.who.id, reason: event.reason } };
}

/** Its leases and waits end with it, whatever its client could still say. */
function exit(view: View, state: DraftState, event: EventOf<'exit'>, facts: Facts): Step<DraftAnswer> {
  const { status, reason, exit_code, signal, last_output, result, usage, worktree } = event;
  const next: DraftState = {
    ...state,
    ...{ status, reason, exit_code, signal, last_output, result, usage },
    worktree: worktree ?? state.worktree,
    ended_wall_ms: facts.now.wall_ms,
  };
  const changes = changesOver(view);
  const named = { changes, agent: state, facts };
  const agent = changes.agent(state.id);
  if (agent !== undefined) {
    changes.setAgent({ ...letGo(changes, agent), live: false, background: [] });
    record(named, 'agent.leave', { reason: `exit:${status}` });
  }
  changes.set(draftKey(state.id), next);
  record(named, 'exit', { status, reason, exit_code, signal, last_output });
  return stepWith(changes, next);
}

const stepWith = ({ records }: Changes, draft: DraftState): Step<DraftAnswer> => ({
  records,
  result: { draft, refused: null },
});
