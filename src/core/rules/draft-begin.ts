/** The beginning of a drafted agent: whether it may be, with how much money, and what is on record of it then. */
import { usageOf } from '../agent-limits.ts';
import { type Money, moneyOf, shareOf } from '../budget.ts';
import { asDraftState, draftKey, draftsIn, isOver, NO_USAGE, sessionAgent, treeBelow } from '../drafts.ts';
import type { Bounds, DraftState } from '../drafts.ts';
import type { View } from '../ledger.ts';
import { mayOnlyLook } from '../policy/role.ts';
import { changesOver } from '../states.ts';
import type { Facts, ProcessMark } from '../types.ts';
import type { Who } from './agent.ts';
import { presentIn } from './opened.ts';
import { record, type Step } from './transaction.ts';

/** `access`: its role may only look. `ended`: the drafter, or the agent, is over. */
export type DraftRefusal = 'access' | 'depth' | 'running' | 'budget' | 'ended' | 'unknown';

export interface DraftAnswer {
  readonly draft: DraftState | null;
  readonly refused: DraftRefused | null;
}

export interface DraftRefused {
  readonly why: DraftRefusal;
  readonly limit: number | null;
  /** Of a tree that has none to give. */
  readonly money?: Money;
}

export interface DraftBegin extends Pick<
  DraftState,
  'role' | 'category' | 'access' | 'task' | 'limits' | 'name'
> {
  readonly agent: Who;
  readonly bounds: Bounds;
  readonly drafter: ProcessMark | null;
}

export const noDraft = (
  why: DraftRefusal,
  draft: DraftState | null,
  more: Partial<DraftRefused> = {},
): Step<DraftAnswer> => ({
  records: [],
  result: { draft, refused: { why, limit: null, ...more } },
});

export const drafterOf = (view: View, who: Who): DraftState | undefined =>
  asDraftState(view.get(draftKey(sessionAgent(who.id))));

export function beginDraft(
  view: View,
  event: DraftBegin & { readonly who: Who },
  facts: Facts,
): Step<DraftAnswer> {
  const { agent, who, role, category, access, task, limits, name } = event;
  const known = asDraftState(view.get(draftKey(agent.id)));
  if (known !== undefined) return { records: [], result: { draft: known, refused: null } };
  const parent = drafterOf(view, who);
  if (parent !== undefined && (isOver(parent) || parent.kill !== null)) return noDraft('ended', null);
  if (mayOnlyLook(parent)) return noDraft('access', null);
  const depth = (parent?.depth ?? 0) + 1;
  const bounds = tighter(event.bounds, parent?.bounds);
  if (depth > bounds.depth) return noDraft('depth', null, { limit: bounds.depth });
  const all = draftsIn(view);
  const free = bounds.running - all.filter((draft) => !isOver(draft)).length - 1;
  if (free < 0) return noDraft('running', null, { limit: bounds.running });
  const root = all.find(({ id }) => id === parent?.root);
  const tree = root === undefined ? [] : treeBelow(all, root.id);
  const { tree_turns, tree_cost_usd } = root?.limits ?? limits;
  if (root !== undefined && tree_turns !== null && usageOf(tree).turns >= tree_turns)
    return noDraft('budget', null);
  const money = tree_cost_usd === null ? null : moneyOf(tree, tree_cost_usd);
  // Who may draft nobody shares with nobody.
  const is_alone = root === undefined && (access === 'readonly' || bounds.depth === 1);
  const share_usd = money === null ? limits.cost_usd : shareOf(money, limits.cost_usd, is_alone ? 0 : free);
  if (money !== null && share_usd === null) return noDraft('budget', null, { money });
  const state: DraftState = {
    id: agent.id,
    session: agent.session ?? '',
    ...(name === undefined ? {} : { name }),
    ...{ role, category, access, task, drafted_by: who.id },
    parent: parent?.id ?? null,
    root: parent?.root ?? agent.id,
    depth,
    status: 'starting',
    ...{ limits, bounds },
    usage: NO_USAGE,
    share_usd,
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
  const told = { drafted_by: who.id, role, task, depth, phase: 'begin' };
  record({ changes, agent: state, facts }, 'draft', told);
  return { records: changes.records, result: { draft: state, refused: null } };
}

/** A drafted agent may have its commands read another configuration than its drafter's. */
const tighter = (own: Bounds, given: Bounds = own): Bounds => ({
  depth: Math.min(own.depth, given.depth),
  running: Math.min(own.running, given.running),
});
