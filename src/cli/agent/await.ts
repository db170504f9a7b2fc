import { plain } from '../../core/plain.ts';
import type { DraftState } from '../../core/drafts.ts';
import type { Who } from '../../core/rules/agent.ts';
import type { AgentId } from '../../core/types.ts';
import { awaitAgent, type AwaitResult, type Doomed } from '../../harness/await.ts';
import { killAgent } from '../../harness/kill.ts';
import { reconcile } from '../../harness/reconcile.ts';
import type { HarnessWorkspace } from '../../harness/workspace.ts';
import { onSignals } from '../../repo/on-signals.ts';
import { mustName } from '../agent-id.ts';
import type { AgentCommand } from '../commands/agent.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { releaseAs } from '../release-as.ts';
import type { Shell } from '../shell.ts';
import { untilStopped } from '../until-stopped.ts';
import { drafterAt, withHarness } from './workspace.ts';

export const awaitCommand: AgentCommand = ([id = ''], options, shell) =>
  withHarness(shell, (space) => {
    reconcile(space);
    const caller = { who: drafterAt(space, options.agent), as: mustName(options.agent, shell.env) };
    return followToEnd(space, caller, id, options.json === true, shell);
  });

/** `as`: the name that its next commands must repeat. */
export interface NamedCaller {
  readonly who: Who;
  readonly as: AgentId | undefined;
}

/** Progress as words, the end as data. Ctrl-C asks once; the second one ends the agent and all below it. */
export async function followToEnd(
  space: HarnessWorkspace,
  { who, as }: NamedCaller,
  id: string,
  json: boolean,
  shell: Shell,
): Promise<ExitCode> {
  const interrupts = countInterrupts(id, shell, async () => {
    await killAgent(space, who, id, 'Ctrl-C');
  });
  const release = releaseAs(space.repo, as);
  const onProgress = progressLines(shell);
  try {
    const told = await untilStopped(
      (signal) => awaitAgent(space, who, id, { signal, onProgress, release }),
      ['SIGTERM', 'SIGHUP'],
    );
    if (told === null) return EXIT.no;
    if (told.status === 'deadlock') return refused(told, json, shell);
    await interrupts.settled();
    show(told, json, shell);
    return told.status === 'completed' ? EXIT.yes : EXIT.no;
  } finally {
    interrupts.off();
  }
}

function refused(told: Doomed, json: boolean, shell: Shell): ExitCode {
  if (json) shell.json(told);
  else shell.err(`${plain(told.message)}\n`);
  return EXIT.no;
}

function countInterrupts(id: string, shell: Shell, kill: () => Promise<void>) {
  let count = 0;
  let killing: Promise<void> = Promise.resolve();
  const interrupt = (): void => {
    count += 1;
    if (count === 1)
      shell.err(
        `\nOnce more ends ${plain(id)} and everything below it. It goes on when only this command ends.\n`,
      );
    // What kept it from ending, the next look at the agent says.
    if (count === 2) killing = kill().catch(() => undefined);
  };
  return { settled: () => killing, off: onSignals(['SIGINT'], interrupt) };
}

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

function show(told: AwaitResult, json: boolean, shell: Shell): void {
  if (json) {
    shell.json(told);
    return;
  }
  const { status, reason, result, message, worktree } = told;
  const why = reason === null || status === 'completed' ? '' : `: ${plain(reason)}`;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${plain(item)}`)];
  const lines = [
    `${shell.color.bold(status)}${why}`,
    ...(result === undefined
      ? message.split('\n').map(plain)
      : [
          plain(result.summary),
          ...list('Changes', result.changes),
          ...list('Issues', result.issues),
          ...list('Questions', result.questions),
        ]),
    ...(worktree === undefined ? [] : worktreeLines(worktree)),
  ];
  shell.out(`${lines.join('\n')}\n`);
}

function worktreeLines({
  dir,
  branch,
  changed,
  commits,
  kept,
}: NonNullable<AwaitResult['worktree']>): string[] {
  if (!kept) return ['Its worktree was left as it was, and is removed.'];
  const files = changed === null ? [] : changed.map((path) => `  ${plain(path)}`);
  return [`Worktree ${plain(dir)}, branch ${plain(branch)}, ${commits} commits; changed:`, ...files];
}
