/**
 * What a clone is called in a ledger that machines share: its files, its index and its list of worktrees are its own there, as those
 * of a linked worktree are. Of the machine's name and the directory's, so that people know it; the rest, so that no other has it.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cloneNamed, LEDGER_POINTER, ledgerHolder } from '../repo/clones.ts';
import type { Repo } from '../repo/locate.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';

/** Of ten thousand clones of one host's and directory's name two have the same once in twenty thousand times. */
const RANDOM_BYTES = 5;

const part = (name: string): string => name.replace(/[^\w-]/g, '-').slice(0, 24);

/** The clone whose ledger it is keeps the name that it has. */
export function nameClone(repo: Repo): string {
  const file = join(repo.state_dir, LEDGER_POINTER);
  const known = cloneNamed(textOf(file));
  if (known !== undefined) return known;
  const holder = ledgerHolder(repo);
  const root = holder !== null && basename(holder) === '.git' ? dirname(holder) : repo.root;
  const id = randomBytes(RANDOM_BYTES).toString('hex');
  const clone = `~@${part(hostname())}.${part(basename(root))}-${id}`;
  replaceWhole(file, `${JSON.stringify({ v: 1, clone })}\n`, { flush: true });
  return clone;
}
