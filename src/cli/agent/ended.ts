/** How drafted agents ended, as text. */
import type { Needs, RefusedTool } from '../../core/needs.ts';
import { plain } from '../../core/plain.ts';
import type { AwaitResult, StillRunning } from '../../harness/awaited.ts';
import type { AwaitAnswer } from '../../operations/awaiting.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import type { Shell } from '../shell.ts';
import { counted } from '../view/counted.ts';

type One = AwaitResult | StillRunning;

export const showEnded = {
  show(told: AwaitAnswer, shell: Shell): void {
    if ('deadlock' in told) shell.err(`${plain(told.message)}\n`);
    else if ('agents' in told)
      shell.out(`${told.agents.map((one) => linesOf(one, shell, true).join('\n')).join('\n\n')}\n`);
    else if ('agentId' in told) {
      shell.out(`${linesOf(told, shell, 'running' in told).join('\n')}\n`);
      if ('running' in told && told.running.length > 0)
        shell.err(`Still running: ${told.running.map(plain).join(', ')}\n`);
    }
  },
  isYes(told: AwaitAnswer): ExitCode {
    const all: readonly AwaitAnswer[] = 'agents' in told ? told.agents : [told];
    if (all.some(({ status }) => status !== 'completed')) return EXIT.no;
    return all.some((one) => 'needs' in one) ? EXIT.needs : EXIT.yes;
  },
};

function linesOf(told: One, { color }: Shell, is_named: boolean): string[] {
  const { status } = told;
  const needs = 'needs' in told ? told.needs : undefined;
  const mark =
    needs === undefined
      ? ''
      : `${needs.questions.length > 0 ? ', asks' : ''}${needs.denials.length > 0 ? ', was not allowed' : ''}`;
  const why = 'doing' in told ? told.doing : status === 'completed' ? null : told.reason;
  const head = `${color.bold(`${status}${mark}`)}${why === null ? '' : `: ${plain(why)}`}`;
  return [
    is_named ? `${plain(told.agentId)} (${plain(told.role)}): ${head}` : head,
    ...('doing' in told ? [...saidLines(told.message), ...needLines(told)] : reportLines(told)),
  ];
}

function reportLines({ result, message, needs, hint, worktree, unheard = [] }: AwaitResult): string[] {
  const said =
    result === undefined
      ? saidLines(message)
      : [plain(result.summary), ...list('Changes', result.changes), ...list('Issues', result.issues)];
  return [
    ...said,
    ...listed(needs),
    ...(hint === undefined ? [] : [plain(hint)]),
    ...list('Messages that it did not receive', unheard),
    ...(worktree === undefined ? [] : worktreeLines(worktree)),
  ];
}

/** For an agent that has not ended: what it has been refused so far, or that it will not start, and what to do about it. */
const needLines = ({ needs, queue, hint }: StillRunning): string[] =>
  needs === undefined && queue?.is_stuck !== true ? [] : [...listed(needs), plain(hint)];

const listed = (needs: Needs | undefined): string[] => [
  ...list('Questions', needs?.questions ?? []),
  ...list('Not allowed', (needs?.denials ?? []).map(inWords)),
];

const saidLines = (message: string): string[] => (message === '' ? [] : message.split('\n').map(plain));

const inWords = ({ rule, count }: RefusedTool): string => (count === 1 ? rule : `${rule}, ${count} times`);

const list = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${plain(item)}`)];

function worktreeLines({
  dir,
  branch,
  changed,
  commits,
  kept,
}: NonNullable<AwaitResult['worktree']>): string[] {
  if (!kept) return ['Its worktree had no changes, and was removed.'];
  const files = changed === null ? [] : changed.map((path) => `  ${plain(path)}`);
  return [
    `Worktree ${plain(dir)}, branch ${plain(branch)}, ${counted(commits, 'commit')}; changed:`,
    ...files,
  ];
}
