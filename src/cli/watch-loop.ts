import type { Workspace } from '../workspace/workspace.ts';
import type { Shell } from './shell.ts';
import { untilStopped } from './until-stopped.ts';

/** Shows something now, again whenever the ledger grows, and once a second while it is watched (leases end in silence). */
const QUIET_MS = 1_000;
const CLEAR = '\u001b[H\u001b[2J';

export async function watchLoop(
  space: Pick<Workspace, 'store'>,
  shell: Shell,
  show: () => void,
  terminal = process.stdout.isTTY,
): Promise<void> {
  await untilStopped(async (signal) => {
    while (!signal.aborted) {
      if (terminal) shell.out(CLEAR);
      show();
      await grown(space, signal);
    }
  });
}

/** Until the next record, at the latest after QUIET_MS. */
async function grown(space: Pick<Workspace, 'store'>, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(QUIET_MS)]);
  for await (const _ of space.store.watch(space.store.tip(), either)) return;
}
