/** Changed lines of a text. Loads the `diff` package. */
import { diffArrays } from 'diff';
import type { Hunk } from '../../core/neighbours.ts';
import { decodeText, normaliseEnds } from '../text/encoding.ts';

/** The same limit as for forecasts of conflicts takes half a second for two unlike files of 10,000 lines; hooks have less time. */
const EDITS_MAX = 1_000;

/** Null if it is not text. Line endings are ignored, because git's settings change them. */
export function linesIn(bytes: Uint8Array): readonly string[] | null {
  const text = decodeText(bytes);
  return text === null || text.includes('\0') ? null : linesOfText(text);
}

export const linesOfText = (text: string): readonly string[] =>
  text === '' ? [] : normaliseEnds(text).replace(/\n$/, '').split('\n');

/** Null if the texts differ too much. */
export function hunksBetween(base: readonly string[], own: readonly string[]): readonly Hunk[] | null {
  const parts = diffArrays([...base], [...own], { maxEditLength: EDITS_MAX });
  if (parts === undefined) return null;
  const hunks: Hunk[] = [];
  let [at, there] = [0, 0];
  for (const { value, added, removed } of parts) {
    const [from, begin] = [at, there];
    if (!added) at += value.length;
    if (!removed) there += value.length;
    if (!added && !removed) continue;
    const last = hunks.at(-1);
    const isNext = last?.base[1] === from && last.own[1] === begin;
    const text = `${isNext ? last.text : ''}${added ? value.map((line) => `${line}\n`).join('') : ''}`;
    if (isNext) hunks.pop();
    const {
      base: [old],
      own: [now],
    } = isNext ? last : { base: [from], own: [begin] };
    hunks.push({ base: [old, at], own: [now, there], text });
  }
  return hunks;
}
