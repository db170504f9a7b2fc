/** The corpora: one command a line, with what it was measured to do. */
import fs from 'node:fs';
import { join } from 'node:path';
import type { Variant } from './fixture.ts';

export interface Row {
  /** Unique over all corpora. */
  readonly id: string;
  /** `writes`: it was measured to change at least one file of `held`; `harmless`: nothing that is not the caller's. */
  readonly kind: 'writes' | 'harmless';
  readonly group: string;
  readonly variant: Variant;
  /** Where the command starts, relative to the root. */
  readonly cwd: string;
  readonly as: 'main' | 'subagent';
  /** For `bash -c`, with `{{root}}`, `{{tmp}}` and `{{home}}` in it. */
  readonly command: string;
  /** What another live agent has locked, relative to the root. */
  readonly held: readonly string[];
  /** What the caller itself has changed and not committed. */
  readonly own: readonly string[];
  /** Measured, relative to the root: `M path` content, `A` made, `D` gone, `P` permissions. Git's own files left out. */
  readonly changes: readonly string[];
  /** Meant to hide what it writes: to be noticed afterwards, not to be denied. */
  readonly evasive: boolean;
  /** False: it could not be run where it was measured (no network, a tool that is not installed). */
  readonly ran: boolean;
  readonly note: string;
}

/** The `.jsonl` files of a directory, in order of their names. */
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

/** One line of a corpus; what is as it usually is, is left out. */
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
