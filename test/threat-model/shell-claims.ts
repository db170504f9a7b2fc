/** What commands do, and what the fence keeps them from. */
import type { Claim } from './claim.ts';

export const SHELL_CLAIMS: Readonly<Record<string, Claim>> = {
  'its command writes what another agent holds': {
    attempt:
      'its command, or anything the command starts, writes a file that another agent holds, in a session with a [fence](fence.md)',
    says: ['refused by the kernel, whatever the language; the agent is told who holds the file'],
  },
  "it writes another agent's mark behind a command": {
    attempt: "it writes another agent's mark behind a command",
    says: ["it names nobody of another session; in its own, guard's mark stands behind it and counts"],
  },
  'it leaves the fence': {
    attempt:
      'it leaves the fence: `umount` as root, `sudo`, a daemon, docker, another machine, a hard link made before, the moment after the holder saved, an edited `held`',
    says: ['not prevented'],
  },
  'it damages or deletes the state directory through Bash': {
    attempt: 'it deletes or edits the state directory through Bash',
    says: [
      'not prevented',
      "A damaged ledger refuses writes (`GUARD_ERR_CORRUPT`); without the directory writes are denied (`GUARD_ERR_NOT_INITIALISED`) until a person runs `guard init`, because a mark in the user's own directory remembers the repository",
      'Whoever deletes that mark too has unguarded it',
    ],
  },
};
