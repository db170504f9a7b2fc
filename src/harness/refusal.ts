/** The reason why an agent was not drafted, as text. */
import { GuardError } from '../core/error.ts';
import type { DraftRefusal, DraftRefused } from '../core/draft-queue.ts';
import { roleRefusal } from '../core/policy/role.ts';
import { moneyInWords } from '../core/queue-words.ts';

const WHY: Readonly<Record<DraftRefusal, (refused: DraftRefused) => readonly [string, string]>> = {
  access: () => roleRefusal('draft'),
  depth: ({ limit }) => [
    `Agents draft agents at most ${String(limit)} deep.`,
    'Do this part yourself, or raise "agents.depth" in your user configuration.',
  ],
  queue: ({ limit }) => [
    `${String(limit)} agents are queued already, which is the limit.`,
    'Wait until some of them have been started: guard agent list.',
  ],
  budget: ({ money }) =>
    money === undefined
      ? ['The budget of this tree of agents is spent.', 'End with what you have.']
      : [`Nobody gives any money back: ${moneyInWords(money)}.`, 'End with what you have.'],
  after: ({ agent }) => [
    `It was to come after ${String(agent)}, which did not complete.`,
    'Draft that again first; or draft this with "anyway".',
  ],
  planned: ({ agent }) => [
    `${String(agent)} has its place in the plan already.`,
    'guard agent list names it.',
  ],
  ended: () => ['You have been ended yourself.', 'guard agent list says why.'],
  turns: ({ limit }) => spent(`its ${String(limit)} turns`),
  wall: ({ limit }) => spent(`its ${String(limit)} s`),
  cost: ({ limit }) => spent(`its ${String(limit)} USD`),
  leaving: () => ['It is being ended.', 'guard agent await tells its end; then say it again.'],
  unheard: ({ limit }) => [
    `It has not heard ${String(limit)} messages yet.`,
    'Wait until it has: guard agent list says what it does.',
  ],
  replaced: ({ agent, on_record }) => [
    `Another supervisor looks after ${String(agent)} now (start ${String(on_record?.starts ?? 0)}, run ${String(on_record?.dispatch ?? 1)}), so this one has ended what it had started.`,
    'Nothing is to be done: guard agent list shows the agent.',
  ],
  unknown: () => ['It cannot be drafted.', 'guard doctor checks the ledger.'],
};

const spent = (what: string): readonly [string, string] => [
  `It has used up ${what}, of all its runs together.`,
  'Draft another agent on its task: that one is told what is known of it.',
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
