/** Drafted agents on one screen: a line each, a second one for notes, and sums. */
import { plain } from '../../core/plain.ts';
import { isNeedy, type Sums, sumsOf, type TreeRow } from '../../harness/list.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { counted } from '../view/counted.ts';
import { terminalHeight } from '../board/terminal-size.ts';
import { foldedFor } from './folded.ts';

interface Listed {
  readonly agents: readonly TreeRow[];
  readonly sums: Sums;
  readonly now: string;
  /** Each agent has its own lines, however long the list is. */
  readonly is_whole: boolean;
}

const WIDTH = 80;
const HEIGHT = 24;
/** The head, the sums, and the prompt or cursor after them. */
const AROUND = 3;
const NAME = 12;
const ROLE = 8;
const TASK = 16;
const NEEDS_SHOWN = 3;

export function showTree({ agents, sums, now, is_whole }: Listed, shell: Shell): void {
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
  // A shell does not export LINES: the terminal itself knows.
  const room = (Number(shell.env['LINES']) || terminalHeight() || HEIGHT) - AROUND;
  const isLong = notes.flat().length + agents.length > room;
  const all = agents.map((row, at) => {
    const line = fitted(rows[at] ?? '', width);
    const first = isNeedy(row) ? color.bold(`!${line.slice(1)}`) : line;
    const own = notes[at] ?? [];
    const shown = isLong && own.length > 1 ? [own.join('; ')] : own;
    return { row, lines: [first, ...shown.map((note) => fitted(`    ${note}`, width))] };
  });
  const folded = foldedFor(all, is_whole ? Infinity : room);
  const lines = all.filter((agent) => !folded.has(agent)).flatMap((agent) => agent.lines);
  const others = all.filter((agent) => folded.has(agent)).map(({ row }) => row);
  const rest = others.length === 0 ? [] : [fitted(foldedLine(others), width)];
  shell.out(`${[color.dim(fitted(head, width)), ...lines, ...rest, sumLine(sums, width)].join('\n')}\n`);
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

function foldedLine(rows: readonly TreeRow[]): string {
  const names = rows.map(({ name, short }) => plain(name ?? short)).join(', ');
  return `  and ${countsOf(sumsOf(rows))} that need nothing from you (--all): ${names}`;
}

const countsOf = ({ states }: Sums): string =>
  Object.entries(states)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');

/** Without the turns if it does not fit with them. */
function sumLine(sums: Sums, width: number): string {
  const { needing, turns, cost_usd } = sums;
  const needs = needing === 0 ? '' : `; ${needing} need${needing === 1 ? 's' : ''} you`;
  const agents = `${countsOf(sums)}${needs}; `;
  const cost = `${cost_usd.toFixed(2)} USD`;
  const whole = `${agents}${counted(turns, 'turn')}, ${cost}`;
  return whole.length > width ? fitted(`${agents}${cost}`, width) : whole;
}
