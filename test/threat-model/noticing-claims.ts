/** Claims about noticing what is not prevented. */
import type { Claim } from './claim.ts';

export const NOTICING_CLAIMS: Readonly<Record<string, Claim>> = {
  'its command changes what another agent holds': {
    attempt:
      'a command changes a file that another agent holds in a way that no parser can read: a script, a program, in the background',
    says: ['recorded (`drift`)', 'reported to the agent that ran it and to the holder'],
  },
  'its command does what was refused': {
    attempt: 'a command does something its agent was refused',
    says: ['a `bypass` record', 'a line in `guard status`', "a notice to a subagent's parent"],
  },
};
