/** Drafted agents on one screen: a line each, a second one for notes, and sums. */
import { plain } from '../../core/plain.ts';
import type { Sums, TreeRow } from '../../harness/list.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { counted } from '../view/counted.ts';

interface Listed {
  readonly agents: readonly TreeRow[];
  readonly sums: Sums;
  readonly now: string;
}

const WIDTH = 80;
const HEIGHT = 24;
const NAME = 12;
const ROLE = 8;
const TASK = 16;
const NEEDS_SHOWN = 3;

export function showTree({ agents, sums, now }: Listed, shell: Shell): void {
  if (agents.length === 0) {
    shell.out('No drafted agent is running.\n');
    return;
  }
  const { color } = shell;
  const now_ms = Date.parse(now);
  const width = widthOf(shell);
  const heads = ['STATE', 'NAME', 'ROLE', 'TASK', 'AGE', 'QUIET', 'TURNS', 'COST'];
  const [head = '', ...rows] = columns([heads, ...agents.map((row) => cells(row, now_ms))]);
  const notes = agents.map(notesOf);
  // Two lines are around the rows: ten agents fit, whatever there is to say about them.
  const isLong = notes.flat().length + agents.length + 2 > (Number(shell.env['LINES']) || HEIGHT);
  const lines = agents.flatMap((row, at) => {
    const line = fitted(rows[at] ?? '', width);
    const first = row.needs === null ? line : color.bold(`!${line.slice(1)}`);
    const all = notes[at] ?? [];
    const shown = isLong && all.length > 1 ? [all.join('; ')] : all;
    return [first, ...shown.map((note) => fitted(`    ${note}`, width))];
  });
  shell.out(`${[color.dim(fitted(head, width)), ...lines, sumLine(sums)].join('\n')}\n`);
}

/** The terminal's width, but never narrower than the columns need. */
const widthOf = ({ env }: Shell): number => Math.max(WIDTH, Number(env['COLUMNS']) || WIDTH);

const fitted = (line: string, width: number): string =>
  Array.from(line).length > width
    ? `${Array.from(line)
        .slice(0, width - 1)
        .join('')}…`
    : line;

function cells(row: TreeRow, now_ms: number): string[] {
  const since = (at: string | null): string => (at === null ? '' : ageWords(now_ms - Date.parse(at)));
  const name = `${'>'.repeat(row.depth - 1)}${row.name ?? row.short}`;
  return [
    row.status,
    fitted(plain(name), NAME),
    fitted(plain(row.role), ROLE),
    fitted(plain(row.taskSlug), TASK),
    since(row.startedAt),
    since(row.lastEventAt),
    String(row.turns),
    `${'cost_is_estimate' in row && row.cost_is_estimate ? '~' : ''}${row.cost_usd.toFixed(2)}`,
  ];
}

const STEPS: readonly (readonly [unit: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** One number and its unit: the largest unit with a count of at least two, so that rounding is off by half at most. */
function ageWords(ms: number): string {
  const [unit, unit_ms] = STEPS.find(([, of_ms]) => ms >= 2 * of_ms) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(ms / unit_ms))}${unit}`;
}

function notesOf({ needs, reason, status, doing, leases, waiting_for, worktree, queue }: TreeRow): string[] {
  const list = (words: string, paths: readonly string[]): string[] =>
    paths.length === 0 ? [] : [`${words} ${paths.map(plain).join(', ')}`];
  const { questions = [], denials = [] } = needs ?? {};
  const kept = worktree === null ? [] : [`${counted(worktree.files, 'file')} in ${plain(worktree.branch)}`];
  const now = [
    ...(queue === null ? [] : [plain(queue.words)]),
    ...list('waits for', waiting_for),
    ...(doing === null ? [] : [plain(doing)]),
    ...list('holds', leases),
    ...(reason === null || status === 'completed' ? [] : [plain(reason)]),
    ...(status === 'running' ? [] : kept),
  ];
  return [
    ...questions.slice(0, NEEDS_SHOWN).map((question) => `asks: ${plain(question)}`),
    ...denials
      .slice(0, NEEDS_SHOWN)
      .map(
        ({ tool, rule, count }) =>
          `was refused ${plain(tool)} ${counted(count, 'time')}; its role lacks "${plain(rule)}"`,
      ),
    ...(now.length === 0 ? [] : [now.join('; ')]),
  ];
}

function sumLine({ states, needing, turns, cost_usd }: Sums): string {
  const counts = Object.entries(states).map(([state, count]) => `${count} ${state}`);
  const needs = needing === 0 ? '' : `; ${needing} need${needing === 1 ? 's' : ''} you`;
  return `${counts.join(', ')}${needs}; ${counted(turns, 'turn')}, ${cost_usd.toFixed(2)} USD`;
}
