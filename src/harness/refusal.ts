/** Why an agent is not drafted, in words. */
import { GuardError } from '../core/error.ts';
import { roleRefusal } from '../core/policy/role.ts';
import type { DraftRefusal } from '../core/rules/drafting.ts';

const WHY: Readonly<Record<DraftRefusal, (limit: number | null) => readonly [string, string]>> = {
  access: () => roleRefusal('draft'),
  depth: (limit) => [
    `Agents draft agents at most ${String(limit)} deep.`,
    'Do this part yourself, or raise "agents.depth" in your user configuration.',
  ],
  running: (limit) => [
    `${String(limit)} agents run already, which is the limit.`,
    'Wait for one of them (await_agent), or raise "agents.running" in your user configuration.',
  ],
  budget: () => ['The budget of this tree of agents is spent.', 'End with what you have.'],
  ended: () => ['You have been ended yourself.', 'guard agent list says why.'],
  unknown: () => ['It cannot be drafted.', 'guard doctor checks the ledger.'],
};

export function refusal(why: DraftRefusal, limit: number | null): GuardError {
  const [message, hint] = WHY[why](limit);
  return new GuardError('GUARD_ERR_AGENT', message, hint, { why, limit });
}

/** Why an agent's worktree is not merged or discarded. `why` is for programs. */
export const refusedMerge = (
  why: string,
  message: string,
  hint: string,
  facts: Readonly<Record<string, string>> = {},
): GuardError => new GuardError('GUARD_ERR_AGENT', message, hint, { why, ...facts });
