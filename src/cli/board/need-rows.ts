/** What needs a person, as rows of the screen. */
import { needsIn } from '../../core/needs/needs.ts';
import type { Need } from '../../core/needs/need.ts';
import { age } from '../../core/time.ts';
import { heldFilesOf } from './held-files.ts';
import type { BoardCell, BoardRow, BoardView } from './rows.ts';

export const needRows = (view: BoardView): readonly BoardRow[] =>
  needsIn(view).map((need) => ({
    ...(need.kind === undefined ? {} : { kind: need.kind }),
    ...{ id: need.id, cells: cellsOf(need), detail: need.detail },
    ...(need.frees === undefined ? {} : { held: heldFilesOf(view, need.frees.by, need.frees.paths) }),
  }));

/** The age of a wait is what makes it urgent. */
function cellsOf({ kind, label, tone, age_ms, who, what, sentence }: Need): BoardCell[] {
  const text = age_ms === null ? '' : age(age_ms);
  return [
    { text: label, tone },
    { text, ...(kind === 'wait' ? { tone } : {}) },
    { text: who, ...(sentence === 'who' ? { is_sentence: true } : {}) },
    { text: what, ...(sentence === 'what' ? { is_sentence: true } : { keep: 'end' }) },
  ];
}
