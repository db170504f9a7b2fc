/** Follows agents to their end: progress as text. The first Ctrl-C asks; the second ends them and all agents below them. */
import type { DraftState } from '../../core/drafts.ts';
import { plain } from '../../core/plain.ts';
import { type DrafterWorkspace, KILL_FOR } from '../../operations/drafted.ts';
import { onSignals } from '../../repo/on-signals.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import type { Screen } from '../screen.ts';
import type { Shell } from '../shell.ts';
import { counted } from '../view/counted.ts';

/** @param agentId empty until it is drafted */
export function follow(
  shell: Shell,
  space: DrafterWorkspace,
  { agentId = [] }: { agentId?: readonly string[] },
): Screen {
  let ids = agentId;
  let count = 0;
  let killing: Promise<unknown> | undefined;
  const interrupt = (): void => {
    count += 1;
    if (count === 1)
      shell.err(
        `\nPress Ctrl-C again to end ${ids.map(plain).join(', ')} and everything below. If only this command ends, it continues.\n`,
      );
    // If an agent could not be ended, the next look at it says why.
    if (count === 2) killing = Promise.allSettled(ids.map((id) => ended(space, id)));
  };
  const deaf = onSignals(['SIGINT'], interrupt);
  return {
    signals: ['SIGTERM', 'SIGHUP'],
    onProgress: progressLines(shell),
    onDrafted(drafted) {
      ids = [...ids, drafted.agentId];
      shell.err(`${drafted.agentId} works on ${drafted.taskSlug}\n`);
    },
    async close() {
      await killing;
      deaf();
    },
  };
}

const ended = async (space: DrafterWorkspace, agentId: string): Promise<unknown> =>
  KILL_FOR.run({ agentId, reason: 'Ctrl-C' }, space, { ...ONLY_LOOKS, signal: new AbortController().signal });

const WORDS_CHARS = 100;

/** Prints a line for every change, but not for mere passing of time. */
function progressLines(shell: Shell): (draft: DraftState) => void {
  const last = new Map<string, string>();
  return ({ id, status, usage, last_output, doing }) => {
    const said = last_output.split('\n').findLast((line) => /[^`\s]/.test(line)) ?? '';
    const words = plain(doing ?? said).slice(0, WORDS_CHARS);
    const line = `${plain(id)}  ${status}  ${counted(usage.turns, 'turn')}  ${words}`.trimEnd();
    if (line !== last.get(id)) shell.err(`${line}\n`);
    last.set(id, line);
  };
}
