/** The corpora: one command per line, with its measured effects. */
import fs from 'node:fs';
import { join } from 'node:path';
import type { Variant } from './fixture.ts';

export interface Row {
  /** Unique across all corpora. */
  readonly id: string;
  /** `writes`: measured to change a file of `held`; `harmless`: measured to change only the caller's files. */
  readonly kind: 'writes' | 'harmless';
  readonly group: string;
  readonly variant: Variant;
  /** Where the command starts, relative to the root. */
  readonly cwd: string;
  readonly as: 'main' | 'subagent';
  /** For `bash -c`; may contain `{{root}}`, `{{tmp}}` and `{{home}}`. */
  readonly command: string;
  /** Files another live agent has locked, relative to the root. */
  readonly held: readonly string[];
  /** Files the caller has changed and not committed. */
  readonly own: readonly string[];
  /** Measured, relative to the root, without git's own files: `M path` content, `A` added, `D` deleted, `P` mode. */
  readonly changes: readonly string[];
  /** Deliberately hides its writes: they must be noticed afterwards, not denied. */
  readonly evasive: boolean;
  /** False if it could not be run when measured (no network, a tool that is not installed). */
  readonly ran: boolean;
  readonly note: string;
}

/** The `.jsonl` files of a directory, sorted by name. */
export const corporaIn = (dir: string): readonly string[] =>
  fs
    .readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => join(dir, name));

export const readRows = (file: string): readonly Row[] =>
  fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowOf(JSON.parse(line) as Partial<Row>));

const rowOf = (given: Partial<Row>): Row => {
  const { id, kind, group, command } = given;
  if (id === undefined || kind === undefined || group === undefined || command === undefined)
    throw new Error(`not a row: ${JSON.stringify(given)}`);
  return {
    ...{ variant: 'clean', cwd: '.', as: 'main', held: [], own: [], changes: [], evasive: false },
    ...{ ran: true, note: '' },
    ...given,
    ...{ id, kind, group, command },
  };
};

/** One line of a corpus; default values are omitted. */
export function lineOf(row: Row): string {
  const { id, kind, group, variant, cwd, as, command, held, own, changes, evasive, ran, note } = row;
  return JSON.stringify({
    ...{ id, kind, group, variant, cwd, as, command, held },
    ...(own.length === 0 ? {} : { own }),
    ...{ changes, evasive },
    ...(ran ? {} : { ran }),
    ...(note === '' ? {} : { note }),
  });
}
