/** What guard asks of git. */
import type { Claim } from './claim.ts';

export const GIT_CLAIMS: Readonly<Record<string, Claim>> = {
  'it runs git where others work': {
    attempt:
      'it runs `git stash`, `checkout`, `reset --hard`, `clean`, `add -A` or another act of git in a checkout in which others work, and the command line names it as it is',
    says: [
      "what git says would change under another agent's lock, or take another live agent's uncommitted work, is denied (`LOCKED_BY_OTHER`, `WORK_OF_OTHERS`); everything else passes. A script or program that runs git is not read",
    ],
  },
  'a script commits what another agent holds': {
    attempt:
      'a script or program that it runs commits a file that another agent has locked, in a repository with `guard init --git-hooks`',
    says: [
      'git refuses the commit (`LOCKED_BY_OTHER`). **`--no-verify`, another `core.hooksPath` and acts for which git runs no pre-commit hook (`commit-tree`, rebase, cherry-pick, a merge without conflict) go past it**',
    ],
  },
  "git's configuration names programs": {
    attempt:
      "a repository's git configuration names programs (`core.fsmonitor`, `diff.external`, filters, `gpg.program`, `core.sshCommand`, …), and guard asks git where a missing file went",
    says: ['none of them runs, nothing is fetched and nothing written'],
  },
};
