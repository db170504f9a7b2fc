/** Which git commands touch anything, and which function describes each. */
import { type Act, type Touch, TOUCHES_NOTHING } from '../act.ts';
import { checkout, checkoutIndex, restorePaths, switchTo } from './checkout.ts';
import { everything, mergeFile, output, sparseCheckout, worktree } from './checkouts.ts';
import { configure, remote } from './config.ts';
import { add, clean, commit, move, remove } from './index-acts.ts';
import { bisect, merge, pick, pull, rebase } from './joins.ts';
import { am, apply } from './patches.ts';
import { branch, fetch, push, reflog, symbolicRef, tag, updateRef } from './refs.ts';
import { readTree, reset } from './reset.ts';
import { stash } from './stash.ts';
import { submodule } from './submodules.ts';

export const ACTS: ReadonlyMap<string, (act: Act) => Touch> = new Map([
  ['add', add],
  ['stage', add],
  ['am', am],
  ['apply', apply],
  ['archive', output],
  ['bisect', bisect],
  ['branch', branch],
  ['bundle', output],
  ['checkout', checkout],
  ['checkout-index', checkoutIndex],
  ['cherry-pick', pick],
  ['clean', clean],
  ['commit', commit],
  ['config', configure],
  ['diff', output],
  ['fetch', fetch],
  ['filter-branch', everything],
  ['filter-repo', everything],
  ['log', output],
  ['merge', merge],
  ['merge-file', mergeFile],
  ['mv', move],
  ['pull', pull],
  ['push', push],
  ['read-tree', readTree],
  ['rebase', rebase],
  ['reflog', reflog],
  ['remote', remote],
  ['reset', reset],
  ['restore', restorePaths],
  ['revert', pick],
  ['rm', remove],
  ['show', output],
  ['sparse-checkout', sparseCheckout],
  ['stash', stash],
  ['submodule', submodule],
  ['switch', switchTo],
  ['symbolic-ref', symbolicRef],
  ['tag', tag],
  ['update-ref', updateRef],
  ['worktree', worktree],
]);

export const touchOf = (act: Act): Touch => ACTS.get(act.command)?.(act) ?? TOUCHES_NOTHING;
