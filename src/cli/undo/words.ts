/** Versions and differences for people. */
import { localMoment } from '../../core/local-time.ts';
import { plain } from '../../core/plain.ts';
import type { Version } from '../../core/versions.ts';
import type { Shell } from '../shell.ts';
import type { Unified } from './unified.ts';

const HOW: Readonly<Record<Version['how'], string>> = {
  write: '',
  parsed: ' (by a command)',
  suspected: ' (probably, by a command)',
  ambiguous: ' (one of them, by a command)',
  outside: 'outside of guarded writes',
};

export const versionAuthors = ({ agents, how }: Pick<Version, 'agents' | 'how'>): string =>
  plain(`${agents.join(' or ')}${HOW[how]}`);

/** As `guard log` shows it. */
export const whenOf = ({ ts }: Pick<Version, 'ts'>): string =>
  ts === null ? 'now' : localMoment(Date.parse(ts));

/** Lines that others wrote must not move the cursor; tabs may stay. */
export const safeLine = (line: string): string => line.split('\t').map(plain).join('\t');

export function diffLines({ text, omitted_lines, instead }: Unified, { color }: Shell): string {
  const paint = (line: string): string => {
    const safe = safeLine(line);
    if (line.startsWith('+')) return color.green(safe);
    return line.startsWith('-') ? color.red(safe) : safe;
  };
  const lines = text === '' ? [] : text.split('\n').map(paint);
  if (omitted_lines > 0) lines.push(color.dim(`[${omitted_lines} more lines]`));
  if (instead !== null) lines.push(color.dim(instead));
  return lines.map((line) => `${line}\n`).join('');
}
