/** Claims about what an agent does through Bash. */
import type { Claim } from './claim.ts';

export const SHELL_CLAIMS: Readonly<Record<string, Claim>> = {
  'it writes through Bash': {
    attempt:
      'it writes files through Bash: redirections, `sed -i`, `rm`, `mv`, formatters, scripts named in the line',
    says: [
      'checked like a write before it runs, if the line shows which files',
      'What the line hides is not checked',
      'The next guarded write of an agent that had read the file is denied as stale',
    ],
  },
};
