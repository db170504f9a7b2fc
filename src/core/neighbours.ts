/** What changed since the fork in two checkouts of one file, and the text about it for an agent. */
import { checkoutWords } from './checkout-words.ts';
import { plain } from './plain.ts';
import { rfc3339 } from './rfc3339.ts';
import type { AgentId } from './types.ts';

/** Line ranges, counted from 0, end excluded: in the file at the fork (`base`) and in the changed file (`own`). */
export interface Hunk {
  readonly base: readonly [from: number, to: number];
  readonly own: readonly [from: number, to: number];
  readonly text: string;
}

/** A checkout in which the file differs from the fork. */
export interface Neighbour {
  /** A linked worktree; '' is the main checkout. */
  readonly checkout: string;
  /** `null` if there is none or it is unknown. */
  readonly branch: string | null;
  /** `null` if guard does not know it. */
  readonly agent: AgentId | null;
  readonly does: 'changed' | 'added' | 'deleted';
  readonly is_committed: boolean;
  readonly since_wall_ms: number | null;
  /** `null` if the file is not text or differs too much. */
  readonly hunks: readonly Hunk[] | null;
}

/** Git treats adjacent changes as a conflict, and identical changes on both sides as none. */
const meets = (one: Hunk, other: Hunk): boolean =>
  one.base[0] <= other.base[1] &&
  other.base[0] <= one.base[1] &&
  !(String(one.base) === String(other.base) && one.text === other.text);

/** The agent's own changes that meet others; `null` if that cannot be determined. */
export const meeting = (
  mine: readonly Hunk[] | null,
  theirs: readonly Hunk[] | null,
): readonly Hunk[] | null =>
  mine === null || theirs === null ? null : mine.filter((one) => theirs.some((other) => meets(one, other)));

const RANGES_MAX = 6;

function linesOf(hunks: readonly Hunk[]): string {
  const each = hunks.map(({ own: [from, to] }) =>
    to <= from ? `before ${from + 1}` : to === from + 1 ? String(to) : `${from + 1}-${to}`,
  );
  const more = each.length - RANGES_MAX;
  return [...each.slice(0, RANGES_MAX), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const numbered = (lines: string): string => (/^\d+$/.test(lines) ? `line ${lines}` : `lines ${lines}`);

/** @param mine the agent's own changes since the fork, including the current edit */
export function neighbourLine(file: string, one: Neighbour, mine: readonly Hunk[] | null): string {
  const where = checkoutWords(one.checkout);
  const about = [
    one.branch === null ? 'no branch' : `branch ${plain(one.branch)}`,
    one.is_committed ? 'committed' : 'not committed',
    ...(one.since_wall_ms === null ? [] : [`last ${rfc3339(one.since_wall_ms)}`]),
  ].join(', ');
  const who = one.agent === null ? 'Someone' : plain(one.agent);
  const lines = one.does === 'changed' && one.hunks !== null ? `: ${numbered(linesOf(one.hunks))} there` : '';
  return `${who} ${one.does} ${JSON.stringify(plain(file))} in ${where} (${about})${lines}. ${met(one, mine)}`;
}

function met({ does, hunks }: Neighbour, mine: readonly Hunk[] | null): string {
  if (does === 'deleted') return 'Your changes and that meet when they are merged.';
  const found = meeting(mine, hunks);
  if (found === null) return 'Its changes and yours meet when they are merged.';
  if (found.length === 0) return 'They do not meet yours.';
  return `Yours meet them, with this edit, at ${linesOf(found)}: that will conflict when they are merged.`;
}
