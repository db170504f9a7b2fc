/** The facts of a record as words for a sentence. */
import type { Json, LedgerRecord } from '../../core/ledger.ts';
import { pathsOfRecord } from './record-line.ts';

export interface RecordFacts {
  /** '' if it is absent, or neither text nor number. */
  readonly text: (fact: string) => string;
  readonly isTrue: (fact: string) => boolean;
  readonly list: (fact: string) => readonly string[];
  /** The names of the agents in this fact: `zed and amy`. */
  readonly agents: (fact: string) => string;
  /** The files that the record is about. */
  readonly files: string;
  /** How many they are. */
  readonly count: number;
  readonly record: LedgerRecord;
}

const NAMED_MAX = 3;

/** `a, b and c`; if there are more, `a, b, c and 4 more`. */
export function namedFew(all: readonly string[]): string {
  if (all.length > NAMED_MAX)
    return `${all.slice(0, NAMED_MAX).join(', ')} and ${all.length - NAMED_MAX} more`;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}

const isWord = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** @param nameOf returns an agent's name */
export function recordFacts(record: LedgerRecord, nameOf: (id: string) => string): RecordFacts {
  const list = (fact: string): readonly string[] =>
    [record[fact]]
      .flat()
      .filter((value) => isWord(value) && value !== '')
      .map(String);
  const files = pathsOfRecord(record);
  return {
    text: (fact) => list(fact)[0] ?? '',
    isTrue: (fact) => record[fact] === true,
    list,
    agents: (fact) => namedFew(list(fact).map(nameOf)),
    files: namedFew(files),
    count: files.length,
    record,
  };
}
