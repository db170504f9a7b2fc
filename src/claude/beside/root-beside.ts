/** The root of another checkout. For a linked worktree of this clone one read of git's own file takes 10 us; checking every other possibility takes 50. */
import { constants, readFileSync } from 'node:fs';
import { attempt } from '../../core/attempt.ts';
import type { Repo } from '../../repo/locate.ts';
import { rootInLedger } from '../../repo/other-checkouts.ts';

const NO_WAIT = constants.O_RDONLY | constants.O_NONBLOCK;
const UTF8 = { encoding: 'utf8', flag: NO_WAIT as unknown as string } as const;

/** @param id the checkout's name in the ledger. Returns null if its root is not known. */
export function rootBeside(repo: Repo, id: string): string | null {
  const { common_dir, joined } = repo;
  const isPlain = common_dir !== null && joined === undefined && id !== '' && !id.startsWith('~');
  const said = isPlain ? attempt(() => readFileSync(`${common_dir}/worktrees/${id}/gitdir`, UTF8), '') : '';
  const [, root] = /^(\/[^\n]*)\/\.git\n$/.exec(said) ?? [];
  return root ?? rootInLedger(repo, id);
}
