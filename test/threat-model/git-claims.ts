/** Claims about what guard uses git for. */
import type { Claim } from './claim.ts';

export const GIT_CLAIMS: Readonly<Record<string, Claim>> = {
  'it runs git where others work': {
    attempt:
      'it runs `git stash`, `checkout`, `reset --hard`, `clean`, `add -A` or another git command in a checkout where others work, written plainly in the command line',
    says: [
      "denied if git says it would change a file locked by another agent, or take another live agent's uncommitted work (`LOCKED_BY_OTHER`, `WORK_OF_OTHERS`); everything else passes. A script or program that runs git is not read",
    ],
  },
  'a script commits what another agent holds': {
    attempt:
      'a script or program it runs commits a file that another agent has locked, in a repository with `guard init --git-hooks`',
    says: [
      'git refuses the commit (`LOCKED_BY_OTHER`). **`--no-verify`, another `core.hooksPath` and commands for which git runs no pre-commit hook (`commit-tree`, rebase, cherry-pick, a merge without conflict) get past it**',
    ],
  },
  "git's configuration names programs": {
    attempt:
      "a repository's git configuration names programs (`core.fsmonitor`, `diff.external`, filters, `gpg.program`, `core.sshCommand`, …), and guard asks git where a missing file went",
    says: ['none of them runs, nothing is fetched and nothing is written'],
  },
};
