/** A unified difference of two contents, limited in length, for people and for programs. */
import { createTwoFilesPatch } from 'diff';
import { decodeText } from '../../claude/text/encoding.ts';

export interface Unified {
  /** '' if there is none, or none can be shown. */
  readonly text: string;
  readonly omitted_lines: number;
  /** Why there is no text: bytes that are not text, or texts too different to compare. */
  readonly instead: string | null;
}

/** Limit of the search for differences: half a second for two dissimilar files of 10,000 lines. */
const EDITS_MAX = 5_000;

export interface Side {
  readonly name: string;
  /** `null` if there is no file. */
  readonly bytes: Buffer | null;
}

export function unified(before: Side, after: Side, max_lines: number): Unified {
  const [old, now] = [textOf(before), textOf(after)];
  const sizes = `${before.bytes?.length ?? 0} bytes become ${after.bytes?.length ?? 0}`;
  if (old === null || now === null) return { text: '', omitted_lines: 0, instead: `not text: ${sizes}` };
  const names = [before, after].map(({ name, bytes }) => (bytes === null ? '/dev/null' : name));
  const options = { context: 3, maxEditLength: EDITS_MAX };
  const [from = '', to = ''] = names;
  const patch = createTwoFilesPatch(from, to, old, now, undefined, undefined, options);
  if (patch === undefined)
    return { text: '', omitted_lines: 0, instead: `too much differs to show it: ${sizes}` };
  const lines = patch.split('\n').filter((line, at) => !(at === 0 && line.startsWith('===')));
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, max_lines);
  return {
    text: shown.join('\n'),
    omitted_lines: lines.length - shown.length,
    instead: lines.length > 2 ? null : 'only line endings change, or whether there is a file at all',
  };
}

const textOf = ({ bytes }: Side): string | null => (bytes === null ? '' : decodeText(bytes));
