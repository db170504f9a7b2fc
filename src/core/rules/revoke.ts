// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Leases that end against their holder's will, and that it is told so, once. */
import { isAlive, isHoldLive, isTurnGone } from '../alive.ts';
import type { View } from '../ledger.ts';
import { draftOver } from '../states.ts';
import type { Draft } from '../states.ts';
import type { AgentId, AgentState, Facts, Hold, RepoPath, Revoked } from '../types.ts';
import { present } from './agent.ts';
import type { Who } from './agent.ts';
import { setHolds } from './holds.ts';
import { answer } from './rule.ts';
import type { Step } from './rule.ts';
import type { Acting } from './transaction.ts';

/** Writes down whose leases end because they yielded to this agent, or ended by themselves before and go to it now. */
export function endYielded(acting: Acting, path: RepoPath, yielded: readonly Hold[]): void {
  const { draft, agent: by, facts } = acting;
  for (const hold of lapsed(draft, path, by, facts)) take(acting, path, hold, 'expired');
  for (const hold of yielded) take(acting, path, hold, by.parent === hold.agent ? 'delegated' : 'idle');
}

/** Nobody is told of what it gave up itself. */
function lapsed(draft: Draft, path: RepoPath, by: AgentState, facts: Facts): Hold[] {
  return draft.path(path).holds.filter((hold) => {
    const holder = draft.agent(hold.agent);
    if (holder === undefined || hold.agent === by.id || isTurnGone(holder, facts)) return false;
    if (hold.command !== undefined) return false;
    if (holder.epoch !== hold.epoch || !isAlive(draft, hold.agent, facts)) return false;
    return !isHoldLive(draft, path, hold, facts);
  });
}

type Cause = 'delegated' | 'idle' | 'expired';

function take({ draft, agent: by, facts }: Acting, path: RepoPath, hold: Hold, cause: Cause): void {
  const state = draft.path(path);
  setHolds(draft, path, {
    ...state,
    holds: state.holds.filter((other) => other.token !== hold.token || other.agent !== hold.agent),
    queue: state.queue.filter((ticket) => ticket.agent !== hold.agent),
  });
  noteRevoked(
    draft,
    hold.agent,
    { path, to: by.id, cause: cause === 'delegated' ? 'subagent' : 'idle' },
    facts,
  );
  const { token, agent } = hold;
  draft.record({ type: 'revoke', agent, ts_ms: facts.now.wall_ms, path, token, to: by.id, cause });
}

/** Untold ones are kept up to here, the newest. */
const REVOKED_MAX = 32;

/** Told at its next event (src/claude/events/revoked.ts). */
export function noteRevoked(
  draft: Draft,
  id: AgentId,
  lost: Pick<Revoked, 'path' | 'to' | 'cause'>,
  { now }: Facts,
): void {
  const holder = draft.agent(id);
  if (holder === undefined) return;
  const others = (holder.revoked ?? []).filter(({ path }) => path !== lost.path).slice(1 - REVOKED_MAX);
  const isSilent = lost.cause === 'idle' && holder.boot === now.boot;
  const silent = isSilent ? { silent_ms: now.mono_ms - holder.active_mono_ms } : {};
  draft.setAgent({ ...holder, revoked: [...others, { ...lost, ...silent, wall_ms: now.wall_ms }] });
}

export interface RevokedToldEvent {
  readonly type: 'revoked.told';
  readonly who: Who;
}

/** What it has not been told yet; from now on it has. What its own write took back meanwhile (`auto`) is no news. */
export function tellRevoked(view: View, { who }: RevokedToldEvent, facts: Facts): Step<readonly Revoked[]> {
  const draft = draftOver(view);
  const { revoked = [] } = draft.agent(who.id) ?? {};
  if (revoked.length === 0) return { records: [], result: [] };
  const agent = present(draft, who, facts, view.next);
  draft.setAgent(withoutRevoked(agent));
  const lost = revoked.filter(({ path }) => !isHolder(draft, path, who.id, facts));
  return answer(draft, agent, facts, lost);
}

const isHolder = (draft: Draft, path: RepoPath, id: AgentId, facts: Facts): boolean =>
  draft.path(path).holds.some((hold) => hold.agent === id && isHoldLive(draft, path, hold, facts));

/** `paths` null: none of them. */
export function withoutRevoked(agent: AgentState, paths: readonly RepoPath[] | null = null): AgentState {
  const { revoked = [], ...rest } = agent;
  const left = paths === null ? [] : revoked.filter(({ path }) => !paths.includes(path));
  return left.length === 0 ? rest : { ...rest, revoked: left };
}
