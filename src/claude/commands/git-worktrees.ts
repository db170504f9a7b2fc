/** Worktrees that are removed while an agent works in them, and operations left half done in one. */
import { isAlive } from '../../core/alive.ts';
import type { Objection } from '../../core/denial.ts';
import { standsIn, worktreeOfOthers } from '../../core/git-words.ts';
import { agentKey } from '../../core/keys.ts';
import { changesOver } from '../../core/states.ts';
import type { AgentId } from '../../core/types.ts';
import { asWorktreeAgents, worktreeKey } from '../../core/worktrees.ts';
import type { LeftWorktree } from '../../git/act.ts';
import type { Foreseen } from '../../git/forecast.ts';
import { cloneOf, ledgerName } from '../../repo/clones.ts';
import { midwayIn } from '../../repo/midway.ts';
import { consult } from '../../store/transact.ts';
import type { HookSpace, Hook } from '../context.ts';

export interface RefObjections {
  readonly objections: readonly Objection[];
  readonly told: readonly string[];
}

export const NO_OBJECTION: RefObjections = { objections: [], told: [] };

/** An agent counts as alive unless the opposite is certain. */
export function isAtWork({ store, facts }: HookSpace, id: AgentId): boolean {
  return consult(
    store,
    (view) => view.get(agentKey(id)) !== undefined && isAlive(changesOver(view), id, facts()),
  );
}

/** Git itself keeps a worktree with changes or a lock, but does not know that an agent works in it. */
export function judgeLeft(
  hook: Hook,
  space: HookSpace,
  { call }: Foreseen,
  { id, root }: LeftWorktree,
): RefObjections {
  const others = agentsIn(hook, space, inLedger(space, id) ?? id);
  if (others.length === 0) return NO_OBJECTION;
  return { objections: [worktreeOfOthers(call.source, { root, others })], told: [] };
}

/** The ledger's name for a worktree that git names. */
export const inLedger = ({ repo }: HookSpace, worktree: string | null): string | null =>
  ledgerName(cloneOf(repo), worktree);

/** Other live agents that started or locked something in a linked worktree. */
export function agentsIn({ who }: Hook, space: HookSpace, worktree: string): readonly AgentId[] {
  const key = worktreeKey(worktree);
  const { agents = [] } = asWorktreeAgents(space.store.look([key]).get(key)) ?? {};
  return agents.filter((id) => id !== who.id && isAtWork(space, id));
}

/** The command that continues or ends the operation needs no note. */
export function judgeRunning(space: HookSpace, { at, command, touch }: Foreseen): RefObjections {
  const running = touch.resources?.includes('worktree') === true ? midwayIn(at.git_dir)?.[1] : undefined;
  if (running === undefined || running === command) return NO_OBJECTION;
  return {
    objections: [],
    told: [standsIn(at.root, running, `@git/op/${inLedger(space, at.worktree) ?? 'main'}`)],
  };
}
