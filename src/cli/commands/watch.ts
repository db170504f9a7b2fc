/** `guard watch`: prints a line, and notifies if asked to, when something begins to need a person. */
import { loadOwnKeys } from '../../config/load-own-keys.ts';
import { localTime } from '../../core/local-time.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { STATUS } from '../../operations/status.ts';
import { readNow } from '../../repo/clock.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { act } from '../act.ts';
import { boardViewOf } from '../board/board.ts';
import { needRows } from '../board/need-rows.ts';
import type { Declaring } from '../declaring.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import type { Shell } from '../shell.ts';
import { attentionOf, type Matter } from '../watch/attention.ts';
import { type Notify, openNotifier } from '../watch/notifier.ts';
import { watchLoop } from '../watch-loop.ts';
import { withWorkspace } from '../workspace.ts';

interface Options {
  readonly json?: boolean;
  readonly notify?: boolean;
}

export function define(command: Declaring, shell: Shell): void {
  command
    .option('--notify', 'notify on the desktop, or by your own program (on_attention)')
    .option('--json', 'print a JSON object per line');
  act<Options>(command, shell, ({ options }) =>
    withWorkspace(shell, (space) => watch(space, options, shell)),
  );
}

function watch(space: Workspace, { json, notify }: Options, shell: Shell): Promise<ExitCode> {
  const notifies = notify === true ? notifierOf(space, shell) : undefined;
  let seen: ReadonlySet<string> = new Set();
  const look = async (to: Shell, signal: AbortSignal): Promise<ExitCode> => {
    const told = await STATUS.run({}, space, { ...ONLY_LOOKS, signal });
    const { wall_ms } = readNow();
    const attention = attentionOf(needRows(boardViewOf(told, wall_ms)), seen);
    ({ seen } = attention);
    const [first, ...more] = attention.news;
    if (first === undefined) return EXIT.yes;
    for (const matter of attention.news) say(matter, wall_ms, to, json === true);
    notifies?.([first, ...more]);
    return EXIT.yes;
  };
  // Never a screen: what was printed stays.
  return watchLoop(space, shell, look, false);
}

function say({ kind, text, detail }: Matter, wall_ms: number, to: Shell, is_json: boolean): void {
  if (is_json) to.json({ at: rfc3339(wall_ms), kind, text, detail });
  else to.out(`${localTime(wall_ms)}  ${text}\n`);
}

const notifierOf = ({ repo, env }: Workspace, { err }: Shell): Notify =>
  openNotifier({
    root: repo.root,
    env,
    program: loadOwnKeys({ repo, env })?.on_attention ?? [],
    failed: err,
  });
