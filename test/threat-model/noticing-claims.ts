/** What is not prevented is noticed. */
import type { Claim } from './claim.ts';

export const NOTICING_CLAIMS: Readonly<Record<string, Claim>> = {
  'its command changes what another agent holds': {
    attempt:
      'a command changes what another agent holds, unread by any parser: a script, a program, the background',
    says: ['on record (`drift`)', 'told to who ran it and to the holder'],
  },
  'its command does what was refused': {
    attempt: 'a command does what was refused to its agent',
    says: ['a `bypass` record', 'a line in `guard status`', 'word to the parent of a subagent'],
  },
};
