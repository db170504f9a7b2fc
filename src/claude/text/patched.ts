/**
 * Applies the client's `structuredPatch` to a text. It shows what was written if the replacement in the response is not
 * the one that was made (curly quotes kept: `newString` says `'`, the file has `’`).
 */
import { asList } from '../../core/json-object.ts';
import { asFields } from '../input.ts';
import { numberIn } from './field.ts';

interface Hunk {
  readonly start: number;
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

/** Lines with their endings. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function hunkOf(value: unknown): Hunk | undefined {
  const hunk = asFields(value);
  const start = numberIn(hunk, 'oldStart');
  const lines = asList(hunk['lines']);
  if (start === undefined || !lines.every((line) => typeof line === 'string')) return undefined;
  const ended = lines.map((line, index) => (lines[index + 1]?.startsWith('\\') ? line : `${line}\n`));
  const side = (marks: string) =>
    ended.filter((line) => marks.includes(line.charAt(0))).map((line) => line.slice(1));
  return { start, old: side(' -'), fresh: side(' +') };
}

/** Undefined if there is no patch, or if it does not fit this text. */
export function patched(text: string, patch: unknown): string | undefined {
  if (!Array.isArray(patch) || patch.length === 0) return undefined;
  const lines = linesOf(text);
  const result: string[] = [];
  let done = 0;
  for (const hunk of patch.map(hunkOf)) {
    if (!hunk) return undefined;
    const start = Math.max(0, hunk.start - 1);
    if (start < done || hunk.old.some((line, index) => lines[start + index] !== line)) return undefined;
    for (const line of lines.slice(done, start)) result.push(line);
    for (const line of hunk.fresh) result.push(line);
    done = start + hunk.old.length;
  }
  return result.concat(lines.slice(done)).join('');
}
