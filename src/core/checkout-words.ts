// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** What people are told of a checkout: a machine's own is named with the machine and the directory, as `guard fleet` named it. */
import { plain } from './plain.ts';

const AMONG_MACHINES = /^~@([^~]+)(?:~(.+))?$/;

/** @param id as the ledger has it; '' is the main checkout */
export function checkoutWords(id: string): string {
  if (id === '') return 'the main checkout';
  const [, clone, worktree] = AMONG_MACHINES.exec(id) ?? [];
  if (clone === undefined) return `worktree ${plain(id)}`;
  return worktree === undefined
    ? `the checkout ${plain(clone)}`
    : `worktree ${plain(worktree)} of ${plain(clone)}`;
}
