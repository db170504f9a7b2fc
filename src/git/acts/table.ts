/** Which commands of git touch anything, and who says what. */
import { NOTHING } from '../act.ts';
import type { Act, Touch } from '../act.ts';
import { checkout, checkoutIndex, restore, switchTo } from './checkout.ts';
import { everything, mergeFile, output, sparseCheckout, submodule, worktree } from './checkouts.ts';
import { add, clean, commit, move, remove } from './index-acts.ts';
import { bisect, merge, pick, pull, rebase } from './joins.ts';
import { am, apply } from './patches.ts';
import { branch, fetch, push, reflog, symbolicRef, tag, updateRef } from './refs.ts';
import { readTree, reset } from './reset.ts';
import { stash } from './stash.ts';

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
  ['reset', reset],
  ['restore', restore],
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

/** git's own commands that touch no file, nor anything that somebody may have uncommitted. */
export const HARMLESS: ReadonlySet<string> = new Set(
  `annotate bisect--helper blame bugreport cat-file check-attr check-ignore check-mailmap check-ref-format cherry clone
  column commit-graph commit-tree config count-objects credential daemon describe diagnose diff-files diff-index diff-tree
  difftool fast-export fast-import fetch-pack fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id
  grep gui hash-object help hook http-backend index-pack init init-db instaweb interpret-trailers ls-files ls-remote ls-tree
  mailinfo mailsplit maintenance merge-base merge-tree mktag mktree multi-pack-index name-rev notes pack-objects pack-refs
  patch-id prune prune-packed range-diff receive-pack remote repack replace request-pull rerere rev-list rev-parse send-email
  send-pack shortlog show-branch show-index show-ref status stripspace unpack-file unpack-objects update-index
  update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged write-tree`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

export const touchOf = (act: Act): Touch => ACTS.get(act.command)?.(act) ?? NOTHING;
