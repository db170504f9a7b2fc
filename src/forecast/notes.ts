/** What a forecast leaves out in all checkouts, for people. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { plain } from '../core/plain.ts';
import type { ListedCheckout } from './checkouts.ts';
import type { Configured } from './programs.ts';

export const notesOf = ({ drivers }: Configured, there: readonly ListedCheckout[]): readonly string[] => [
  ...drivers.map((name) => `The merge driver ${name} is not run: its files are merged as text.`),
  ...submodulesNote(there.filter(({ git_dir }) => existsSync(join(git_dir, 'modules')))),
];

/** To see that work, git would have to run with the configuration of each submodule. */
const submodulesNote = (having: readonly ListedCheckout[]): readonly string[] =>
  having.length === 0
    ? []
    : [`Uncommitted work inside submodules does not count: ${having.map(({ id }) => plain(id)).join(', ')}.`];
