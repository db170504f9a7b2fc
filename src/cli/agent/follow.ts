/** Following an agent to its end: progress as words. Ctrl-C asks once; the second one ends the agent and all below it. */
import type { DraftState } from '../../core/drafts.ts';
import { plain } from '../../core/plain.ts';
import { type DrafterWorkspace, KILL_FOR } from '../../operations/drafted.ts';
import { onSignals } from '../../repo/on-signals.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import type { Screen } from '../screen.ts';
import type { Shell } from '../shell.ts';

/** @param agentId absent until it is drafted */
export function follow(
  shell: Shell,
  space: DrafterWorkspace,
  { agentId = '' }: { agentId?: string },
): Screen {
  let id = agentId;
  let count = 0;
  let killing: Promise<unknown> | undefined;
  const interrupt = (): void => {
    count += 1;
    if (count === 1)
      shell.err(
        `\nOnce more ends ${plain(id)} and everything below it. It goes on when only this command ends.\n`,
      );
    // What kept it from ending, the next look at the agent says.
    if (count === 2) killing = ended(space, id).catch(() => undefined);
  };
  const deaf = onSignals(['SIGINT'], interrupt);
  return {
    signals: ['SIGTERM', 'SIGHUP'],
    onProgress: progressLines(shell),
    onDrafted(drafted) {
      id = drafted.agentId;
      shell.err(`${id} works on ${drafted.taskSlug}\n`);
    },
    async close() {
      await killing;
      deaf();
    },
  };
}

const ended = async (space: DrafterWorkspace, agentId: string): Promise<unknown> =>
  KILL_FOR.run({ agentId, reason: 'Ctrl-C' }, space, { ...ONLY_LOOKS, signal: new AbortController().signal });

/** A line for every change, none for a mere second. */
function progressLines(shell: Shell): (draft: DraftState) => void {
  let last = '';
  return ({ id, status, usage, last_output }) => {
    const words = plain(last_output.split('\n').at(-1) ?? '').slice(0, 100);
    const line = `${plain(id)}  ${status}  ${usage.turns} turns  ${words}`.trimEnd();
    if (line !== last) shell.err(`${line}\n`);
    last = line;
  };
}
