/** Every line of the tables, to compare results after a change to one of them. */
import * as flow from './lines/flow.ts';
import { HARMLESS } from './lines/harmless.ts';
import * as redirections from './lines/redirections.ts';
import * as words from './lines/words.ts';
import * as wrappers from './lines/wrappers.ts';

export const ROWS = [flow, words, redirections, wrappers].flatMap((tables) => Object.entries(tables));
export const LINES: readonly string[] = [
  ...ROWS.flatMap(([, rows]) => rows.map(([line]) => line)),
  ...HARMLESS,
];
