/** Of what an agent does through Bash. */
import type { Claim } from './claim.ts';

export const SHELL_CLAIMS: Readonly<Record<string, Claim>> = {
  'it writes through Bash': {
    attempt:
      'it writes files through Bash: redirections, `sed -i`, `rm`, `mv`, formatters, scripts that the line names',
    says: [
      'judged before it runs, as a write is, where the line tells which files',
      'What it hides is not judged',
      'Whoever read the file before is denied as stale at the next guarded write',
    ],
  },
};
