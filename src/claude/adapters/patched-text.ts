/**
 * The text that Codex's `apply_patch` (0.169) produces. It searches for lines from where the last match ended: first exactly, then
 * ignoring trailing white space, then surrounding white space, then typographic characters. Pure.
 */
import type { PatchHunk } from './patch.ts';

/** @param before the text with LF line endings. Returns null if the client would refuse the patch. */
export function patchedText(before: string, hunks: readonly PatchHunk[]): string | null {
  const lines = before.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const pieces: { readonly at: number; readonly length: number; readonly now: readonly string[] }[] = [];
  let from = 0;
  for (const hunk of hunks) {
    if (hunk.below !== null) {
      const at = find(lines, [hunk.below], from, false);
      if (at < 0) return null;
      from = at + 1;
    }
    const found =
      hunk.old.length === 0 ? { at: lines.length, length: 0, now: hunk.now } : place(lines, hunk, from);
    if (found === null) return null;
    pieces.push(found);
    if (hunk.old.length > 0) from = found.at + found.length;
  }
  for (const { at, length, now } of pieces.toSorted((a, b) => b.at - a.at)) lines.splice(at, length, ...now);
  return lines.at(-1) === '' ? lines.join('\n') : `${lines.join('\n')}\n`;
}

/** An empty last line of the lines to find may represent the end of the file. */
function place(lines: readonly string[], { old, now, at_end }: PatchHunk, from: number) {
  const at = find(lines, old, from, at_end);
  if (at >= 0) return { at, length: old.length, now };
  if (old.at(-1) !== '') return null;
  const shorter = old.slice(0, -1);
  const again = find(lines, shorter, from, at_end);
  if (again < 0) return null;
  return { at: again, length: shorter.length, now: now.at(-1) === '' ? now.slice(0, -1) : now };
}

const LIKE: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) =>
    line
      .trim()
      .replace(/[\u2010-\u2015\u2212]/g, '-')
      .replace(/[\u2018-\u201B]/g, "'")
      .replace(/[\u201C-\u201F]/g, '"')
      .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, ' '),
];

function find(lines: readonly string[], wanted: readonly string[], from: number, at_end: boolean): number {
  if (wanted.length === 0) return from;
  const last = lines.length - wanted.length;
  const first = at_end && last >= 0 ? last : from;
  for (const like of LIKE) {
    const looked = wanted.map(like);
    for (let at = first; at <= last; at++)
      if (looked.every((line, nth) => like(lines[at + nth] ?? '') === line)) return at;
  }
  return -1;
}
