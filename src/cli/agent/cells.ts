/** The columns of a drafted agent in a list, each no wider than its place. */
import { plain } from '../../core/plain.ts';
import type { TreeRow } from '../../harness/list.ts';

const NAME = 12;
const ROLE = 8;
const TASK = 16;

export const fitted = (line: string, width: number): string =>
  Array.from(line).length > width
    ? `${Array.from(line)
        .slice(0, width - 1)
        .join('')}…`
    : line;

export function agentCells(row: TreeRow, now_ms: number): string[] {
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
