/** Claims about the fence around commands. */
import type { Claim } from './claim.ts';

export const FENCE_CLAIMS: Readonly<Record<string, Claim>> = {
  'its command writes what another agent holds': {
    attempt:
      'its command, or anything the command starts, writes a file that another agent holds, in a session with a [fence](fence.md)',
    says: ['refused by the kernel, whatever the language; the agent is told who holds the file'],
  },
  "it writes another agent's mark behind a command": {
    attempt: "it appends another agent's mark to a command",
    says: [
      "the mark cannot name an agent of another session; within the same session, guard's own mark comes after it and counts",
    ],
  },
  'it leaves the fence': {
    attempt:
      'it leaves the fence: `umount` as root, `sudo`, a daemon, docker, another machine, a hard link made before, the moment after the holder saved, an edited `held`',
    says: ['not prevented'],
  },
};
