/**
 * The name of a clone in a ledger that machines share: like those of a linked worktree, its files, its index and its list
 * of worktrees are separate there. The names of machine and directory make it recognisable, the random rest unique.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cloneNamed, LEDGER_POINTER, ledgerHolder } from '../repo/clones.ts';
import type { Repo } from '../repo/locate.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { textOf } from '../repo/small-file.ts';

/** Two of ten thousand clones with the same host and directory name get the same name once in twenty thousand times. */
const RANDOM_BYTES = 5;

const part = (name: string): string => name.replace(/[^\w-]/g, '-').slice(0, 24);

/** The clone that owns the ledger keeps its name. */
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
