/** Worktrees that go from under somebody, and what stands half done in one. */
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

/** Alive is everybody of whom nobody can say the opposite. */
export function isAtWork({ store, facts }: HookSpace, id: AgentId): boolean {
  return consult(
    store,
    (view) => view.get(agentKey(id)) !== undefined && isAlive(changesOver(view), id, facts()),
  );
}

/** Git keeps what is changed or locked in it, and knows nothing of who stands in it. */
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

/** What git calls a worktree, as the ledger calls it. */
export const inLedger = ({ repo }: HookSpace, worktree: string | null): string | null =>
  ledgerName(cloneOf(repo), worktree);

/** Others who are alive, and began or locked something in a linked worktree. */
export function agentsIn({ who }: Hook, space: HookSpace, worktree: string): readonly AgentId[] {
  const key = worktreeKey(worktree);
  const { agents = [] } = asWorktreeAgents(space.store.look([key]).get(key)) ?? {};
  return agents.filter((id) => id !== who.id && isAtWork(space, id));
}

/** Who goes on with it, or ends it, knows. */
export function judgeRunning(space: HookSpace, { at, command, touch }: Foreseen): RefObjections {
  const running = touch.resources?.includes('worktree') === true ? midwayIn(at.git_dir)?.[1] : undefined;
  if (running === undefined || running === command) return NO_OBJECTION;
  return {
    objections: [],
    told: [standsIn(at.root, running, `@git/op/${inLedger(space, at.worktree) ?? 'main'}`)],
  };
}
