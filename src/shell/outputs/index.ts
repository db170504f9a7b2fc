/** The output of a command, if its arguments alone determine it. */
import { wordList } from '../../core/word-list.ts';
import type { Call } from '../call.ts';
import { FILTERS } from './filters.ts';
import { LISTINGS } from './listings.ts';
import { MATCHING } from './matching.ts';
import type { Output } from './output.ts';
import { TEXTS } from './texts.ts';

const OUTPUTS: readonly Readonly<Record<string, Output>>[] = [TEXTS, LISTINGS, MATCHING, FILTERS];

/** They print nothing unless something goes wrong. */
const SILENT = wordList(
  `rm rmdir mkdir mv cp ln touch chmod chown truncate install sleep wait true false : test [ alias break continue kill umask
  ulimit hash`,
);

/** Null if it is unknown. */
export function printedBy(call: Call): string | null {
  if (SILENT.has(call.name)) return '';
  const known = OUTPUTS.find((outputs) => Object.hasOwn(outputs, call.name));
  return known?.[call.name]?.(call) ?? null;
}
