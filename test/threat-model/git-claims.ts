/** What guard asks of git. */
import type { Claim } from './claim.ts';

export const GIT_CLAIMS: Readonly<Record<string, Claim>> = {
  "git's configuration names programs": {
    attempt:
      "a repository's git configuration names programs (`core.fsmonitor`, `diff.external`, filters, `gpg.program`, `core.sshCommand`, …), and guard asks git where a missing file went",
    says: ['none of them runs, nothing is fetched and nothing written'],
  },
};
