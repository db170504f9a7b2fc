/** The commands of git itself. Everything else is an alias or an external program. */
import { wordList } from '../core/word-list.ts';

/** git's own commands that touch neither files nor anyone's uncommitted changes. */
export const HARMLESS = wordList(
  `annotate bisect--helper blame bugreport cat-file check-attr check-ignore check-mailmap check-ref-format cherry clone
  column commit-graph commit-tree count-objects credential daemon describe diagnose diff-files diff-index diff-tree
  difftool fast-export fast-import fetch-pack fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id
  grep gui hash-object help hook http-backend index-pack init init-db instaweb interpret-trailers ls-files ls-remote ls-tree
  mailinfo mailsplit maintenance merge-base merge-tree mktag mktree multi-pack-index name-rev notes pack-objects pack-refs
  patch-id prune prune-packed range-diff receive-pack repack replace request-pull rerere rev-list rev-parse send-email
  send-pack shortlog show-branch show-index show-ref status stripspace unpack-file unpack-objects update-index
  update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version whatchanged write-tree`,
);

/** Commands whose effects are determined before they run (acts/table.ts). */
export const JUDGED = wordList(
  `add stage am apply archive bisect branch bundle checkout checkout-index cherry-pick clean commit config diff fetch filter-branch filter-repo log merge merge-file mv pull push read-tree rebase reflog remote reset restore revert rm show sparse-checkout stash submodule switch symbolic-ref tag update-ref worktree`,
);
