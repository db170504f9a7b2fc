/** The reason why an agent was not drafted, as text. */
import { GuardError } from '../core/error.ts';
import type { DraftRefusal, DraftRefused } from '../core/draft-verdict.ts';
import { roleRefusal } from '../core/policy/role.ts';
import { moneyInWords } from '../core/queue-words.ts';

const WHY: Readonly<Record<DraftRefusal, (refused: DraftRefused) => readonly [string, string]>> = {
  access: () => roleRefusal('draft'),
  depth: ({ limit }) => [
    `Agents can draft agents at most ${String(limit)} deep.`,
    'Do this part yourself, or raise "agents.depth" in your user configuration.',
  ],
  queue: ({ limit }) => [
    `${String(limit)} agents are queued already, which is the limit.`,
    'Wait until some of them have been started: guard agent list.',
  ],
  budget: ({ money }) =>
    money === undefined
      ? ['The budget of this tree of agents is spent.', 'End with what you have.']
      : [`No agent returns any of its money: ${moneyInWords(money)}.`, 'End with what you have.'],
  after: ({ agent }) => [
    `It was to start after ${String(agent)}, which did not complete.`,
    'Draft that again first; or draft this with "anyway".',
  ],
  planned: ({ agent }) => [`${String(agent)} already has its place in the plan.`, 'Run: guard agent list'],
  ended: () => ['You have been ended yourself.', 'For the reason, run: guard agent list'],
  turns: ({ limit }) => spent(`its ${String(limit)} turns`),
  wall: ({ limit }) => spent(`its ${String(limit)} s`),
  cost: ({ limit }) => spent(`its ${String(limit)} USD`),
  leaving: () => [
    'It is being ended.',
    'Wait for its end with guard agent await, then send the message again.',
  ],
  unheard: ({ limit }) => [
    `It has not received ${String(limit)} messages yet.`,
    'Wait until it has: guard agent list shows what it is doing.',
  ],
  replaced: ({ agent, on_record }) => [
    `Another supervisor looks after ${String(agent)} now (start ${String(on_record?.starts ?? 0)}, run ${String(on_record?.dispatch ?? 1)}), so this one has ended what it had started.`,
    'There is nothing to do; guard agent list shows the agent.',
  ],
  unknown: () => ['It cannot be drafted.', 'guard doctor checks the ledger.'],
};

const spent = (what: string): readonly [string, string] => [
  `It has used up ${what}, counting all its runs.`,
  'Draft another agent on its task: it gets what is known about the task.',
];

export function refusal(refused: DraftRefused): GuardError {
  const { why, limit, money, agent, on_record } = refused;
  const [message, hint] = WHY[why](refused);
  const facts = {
    ...{ why, limit, ...money },
    ...(agent === undefined ? {} : { agent }),
    ...(on_record === undefined ? {} : { starts: on_record.starts, dispatch: on_record.dispatch }),
    ...(on_record?.supervisor == null ? {} : { supervisor: on_record.supervisor.pid }),
  };
  return new GuardError('GUARD_ERR_AGENT', message, hint, facts);
}

/** The reason why an agent's worktree was not merged or discarded. `why` is for programs. */
export const refusedMerge = (
  why: string,
  message: string,
  hint: string,
  facts: Readonly<Record<string, string>> = {},
): GuardError => new GuardError('GUARD_ERR_AGENT', message, hint, { why, ...facts });
