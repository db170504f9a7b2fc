// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A worktree that one agent made for itself: while no other agent is in it, its writes there take their own leases, as
 * under preset auto (decision 111). Once another agent begins or locks a file there, it is an ordinary checkout.
 */
import { isAlive } from '../alive.ts';
import type { View } from '../ledger.ts';
import { type Changes, changesOver } from '../states.ts';
import type { AgentId, AgentState, Facts, RepoPath } from '../types.ts';
import { asWorktreeAgents, pathIn, worktreeKey, worktreesOf } from '../worktrees.ts';
import type { Who } from './who.ts';
import { noteCheckouts } from './elsewhere.ts';
import { transactionOf } from './opened.ts';
import { answer, type Step } from './transaction.ts';

/** What the shell found: a worktree at a place where clients create them. */
export interface OwnWorktree {
  readonly id: string;
  /** It has this subagent's name, so it was made for it; otherwise the agent's session must have begun in it. */
  readonly is_named: boolean;
}

/** If more agents are in one worktree, they are no longer distinguished: it is shared. */
const AGENTS_MAX = 32;

/** The rules for this write: the given ones, or those of an agent that is alone in its own worktree. */
export function noteOwnWorktree(
  view: View,
  { who, worktree }: { readonly who: Who; readonly worktree: OwnWorktree },
  facts: Facts,
): Facts {
  if (facts.policy.enforcement !== 'required') return facts;
  const changes = changesOver(view);
  const { agents } = stateOf(changes, worktree.id);
  const isThere = worktree.is_named || agents.includes(who.id);
  if (!isThere || othersIn(changes, worktree.id, who.id, facts).length > 0) return facts;
  return withEnforcement(facts);
}

/** `Facts` looks some things up when used, so its getters must stay getters. */
const withEnforcement = (facts: Facts): Facts =>
  Object.create(facts, {
    policy: { value: { ...facts.policy, enforcement: 'auto' }, enumerable: true },
  }) as Facts;

export interface EnterWorktreeEvent {
  readonly type: 'worktree.enter';
  readonly who: Who;
  readonly worktree: string;
}

/** An agent begins in a worktree. Returns whether it is alone there. */
export function enterWorktree(view: View, event: EnterWorktreeEvent, facts: Facts): Step<boolean> {
  const tx = transactionOf(view, event.who, facts);
  const { changes, agent } = tx;
  const is_alone = othersIn(changes, event.worktree, agent.id, facts).length === 0;
  come(changes, event.worktree, agent, facts);
  noteCheckouts(changes, [pathIn(event.worktree, '.')], facts);
  return answer(tx, is_alone);
}

/** The agent locks files there and therefore counts as working in it from now on. */
export function noteVisits(
  changes: Changes,
  agent: AgentState,
  paths: readonly RepoPath[],
  facts: Facts,
): void {
  for (const worktree of worktreesOf(paths)) {
    const { agents } = stateOf(changes, worktree);
    if (!agents.includes(agent.id) && agents.length < AGENTS_MAX) come(changes, worktree, agent, facts);
  }
}

const stateOf = (changes: Changes, worktree: string): { readonly agents: readonly AgentId[] } =>
  asWorktreeAgents(changes.get(worktreeKey(worktree))) ?? { agents: [] };

const othersIn = (changes: Changes, worktree: string, me: AgentId, facts: Facts): readonly AgentId[] =>
  stateOf(changes, worktree).agents.filter((id) => id !== me && isAlive(changes, id, facts));

function come(changes: Changes, worktree: string, { id }: AgentState, facts: Facts): void {
  const agents = [...othersIn(changes, worktree, id, facts), id].slice(-AGENTS_MAX);
  const { boot, mono_ms, wall_ms } = facts.now;
  changes.set(worktreeKey(worktree), { agents, at: { boot, mono_ms, wall_ms } });
}
