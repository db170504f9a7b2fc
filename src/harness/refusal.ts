/** Why an agent is not drafted, in words. */
import { GuardError } from '../core/error.ts';
import type { Money } from '../core/budget.ts';
import { roleRefusal } from '../core/policy/role.ts';
import type { DraftRefusal, DraftRefused } from '../core/rules/draft-begin.ts';

const WHY: Readonly<
  Record<DraftRefusal, (limit: number | null, money: Money | undefined) => readonly [string, string]>
> = {
  access: () => roleRefusal('draft'),
  depth: (limit) => [
    `Agents draft agents at most ${String(limit)} deep.`,
    'Do this part yourself, or raise "agents.depth" in your user configuration.',
  ],
  running: (limit) => [
    `${String(limit)} agents run already, which is the limit.`,
    'Wait for one of them (await_agent), or raise "agents.running" in your user configuration.',
  ],
  budget: (_, money) =>
    money === undefined
      ? ['The budget of this tree of agents is spent.', 'End with what you have.']
      : [
          `Of the ${money.tree_usd} USD of this tree of agents ${usd(money.left_usd)} are left: ${usd(money.spent_usd)} are spent, ${usd(money.reserved_usd)} set aside for agents that run.`,
          'What they do not use is free when they have ended (await_agent); else end with what you have.',
        ],
  ended: () => ['You have been ended yourself.', 'guard agent list says why.'],
  unknown: () => ['It cannot be drafted.', 'guard doctor checks the ledger.'],
};

const usd = (amount: number): string => amount.toFixed(2);

export function refusal({ why, limit, money }: DraftRefused): GuardError {
  const [message, hint] = WHY[why](limit, money);
  return new GuardError('GUARD_ERR_AGENT', message, hint, { why, limit, ...money });
}

/** Why an agent's worktree is not merged or discarded. `why` is for programs. */
export const refusedMerge = (
  why: string,
  message: string,
  hint: string,
  facts: Readonly<Record<string, string>> = {},
): GuardError => new GuardError('GUARD_ERR_AGENT', message, hint, { why, ...facts });
