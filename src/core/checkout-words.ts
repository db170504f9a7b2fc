// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** How checkouts are named for people: on another machine, by machine and directory, as `guard fleet` named them. */
import { plain } from './plain.ts';

const AMONG_MACHINES = /^~@([^~]+)(?:~(.+))?$/;

/** @param id the checkout's id in the ledger; '' is the main checkout */
export function checkoutWords(id: string): string {
  if (id === '') return 'the main checkout';
  const [, clone, worktree] = AMONG_MACHINES.exec(id) ?? [];
  if (clone === undefined) return `worktree ${plain(id)}`;
  return worktree === undefined
    ? `the checkout ${plain(clone)}`
    : `worktree ${plain(worktree)} of ${plain(clone)}`;
}
