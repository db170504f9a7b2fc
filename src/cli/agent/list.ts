/** Drafted agents on one screen: a line each, a second one for notes, and sums. In a pipe, the notes are on the same line. */
import { plain } from '../../core/plain.ts';
import { isNeedy, type Sums, sumsOf, type TreeRow } from '../../harness/list.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { counted } from '../view/counted.ts';
import { terminalHeight, terminalWidth } from '../board/terminal-size.ts';
import { agentCells, fitted } from './cells.ts';
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
  const [head = '', ...rows] = columns([heads, ...agents.map((row) => agentCells(row, now_ms))]);
  const notes = agents.map(notesOf);
  // A shell does not export LINES: the terminal itself knows.
  const height = Number(shell.env['LINES']) || terminalHeight();
  if (height === undefined) {
    // A pipe or a file: a program looks for an agent by line.
    const whole = agents.map((row, at) =>
      [marked(row, rows[at]), (notes[at] ?? []).join('; ')].join('  ').trimEnd(),
    );
    shell.out(`${[head, ...whole, sumLine(sums, Infinity)].join('\n')}\n`);
    return;
  }
  // Two lines are around the rows: ten agents fit, whatever there is to say about them.
  const room = (height || HEIGHT) - AROUND;
  const isLong = notes.flat().length + agents.length > room;
  const all = agents.map((row, at) => {
    const line = fitted(rows[at] ?? '', width);
    const first = isNeedy(row) ? color.bold(marked(row, line)) : line;
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

const marked = (row: TreeRow, line = ''): string => (isNeedy(row) ? `!${line.slice(1)}` : line);

/** The terminal's width, but never narrower than the columns need. A shell does not export COLUMNS, either. */
function widthOf({ env }: Shell): number {
  const seen = terminalWidth();
  return Math.max(WIDTH, Number(env['COLUMNS']) || (seen === Infinity ? WIDTH : seen));
}

function notesOf(row: TreeRow): string[] {
  const { needs, reason, status, doing, leases, waiting_for, worktree, queue } = row;
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
    ...(row.can_be_resumed ? ['guard agent send resumes it'] : []),
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
  const { needing, turns, cost_usd, cost_is_estimate } = sums;
  const needs = needing === 0 ? '' : `; ${needing} need${needing === 1 ? 's' : ''} you`;
  const agents = `${countsOf(sums)}${needs}; `;
  const cost = `${cost_is_estimate ? '~' : ''}${cost_usd.toFixed(2)} USD`;
  const whole = `${agents}${counted(turns, 'turn')}, ${cost}`;
  return whole.length > width ? fitted(`${agents}${cost}`, width) : whole;
}
