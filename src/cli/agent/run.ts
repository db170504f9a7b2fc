/** `guard agent run`: a plan of several agents, and how each of them ended. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import type { PlannedTask } from '../../operations/planned-tasks.ts';
import { type PlanAnswer, RUN_PLAN } from '../../operations/run-plan.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { follow } from './follow.ts';
import { asDrafter } from './places.ts';
import { planText } from './plan-text.ts';

export function defineRun(command: Command, shell: Shell): void {
  asDrafter(command.argument('<plan>'), shell, RUN_PLAN, {
    given: ({ args: [file] }) => ({
      plan: file === undefined ? undefined : planText(resolve(shell.cwd, file)),
    }),
    flags: { plan: 'PLAN' },
    options: { dry_run: ['--dry-run', 'only show what would be done'] },
    waits: (to, space) => follow(to, space, {}),
    show: ({ plan, tasks }, to) => {
      const rows = columns(tasks.map(cellsOf));
      const lines = tasks.flatMap((task, at) => [rows[at] ?? '', ...needsOf(task)]);
      to.out(`${[to.color.bold(`Plan ${plain(plan)}`), ...lines, sums(tasks)].join('\n')}\n`);
    },
    isYes: exitOf,
  });
}

function exitOf({ status, tasks }: PlanAnswer): ExitCode {
  if (status === 'planned') return EXIT.yes;
  if (status !== 'completed') return EXIT.no;
  return tasks.some(({ needs }) => needs !== null) ? EXIT.needs : EXIT.yes;
}

const WORDS_CHARS = 100;

const HOW: Readonly<Record<PlannedTask['how'], string>> = { new: '', again: 'once more', kept: 'as before' };

function cellsOf({
  id,
  role,
  after,
  how,
  agentId,
  status,
  reason,
  summary,
  cost_usd,
}: PlannedTask): string[] {
  const order = after.length === 0 ? '' : `after ${after.join(', ')}`;
  const said = status === 'completed' ? (summary ?? '') : (reason ?? '');
  const words = status === 'planned' ? '' : `${cost_usd.toFixed(2)} USD`;
  return [status, id, role, agentId ?? '', words, HOW[how], order, said.slice(0, WORDS_CHARS)].map(plain);
}

const needsOf = ({ needs }: PlannedTask): string[] => [
  ...(needs?.questions ?? []).map((question) => `    asks: ${plain(question)}`),
  ...(needs?.denials ?? []).map(({ rule }) => `    was not allowed: ${plain(rule)}`),
];

function sums(tasks: readonly PlannedTask[]): string {
  const states = [...new Set(tasks.map(({ status }) => status))];
  const counts = states.map((state) => `${tasks.filter(({ status }) => status === state).length} ${state}`);
  const cost_usd = tasks.reduce((sum, task) => sum + task.cost_usd, 0);
  return `${counts.join(', ')}; ${cost_usd.toFixed(2)} USD`;
}
