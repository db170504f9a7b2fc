// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** `"fence": "required"`: in a session without a fence, only commands that certainly write nothing pass. */
import { fenceMissing } from '../../core/messages.ts';
import { fenceOfSession } from '../../fence/sessions.ts';
import { denyFor, type HookOutput } from '../output.ts';
import type { Hook } from '../context.ts';
import { commandsOf } from '../shell/command-line.ts';
import type { Command } from './command.ts';

/** Null if there is no objection. */
export function needsFence({ home, input }: Hook, command: Command): HookOutput | null {
  if (!home.repo.initialised || input.host !== 'claude') return null;
  const fence = fenceOfSession(home.state_dir, input.session);
  if (fence.by !== null || onlyReads(command, home.facts().guard_command)) return null;
  return denyFor([fenceMissing(command.cwd, fence.why, fence.remedy)]);
}

/** Programs that write nothing whatever their arguments, and shell builtins that run nothing else. */
const READERS = new Set(
  (
    'cat head tail grep egrep fgrep ls pwd echo printf wc file stat diff cmp cut tr nl od xxd du df ' +
    'basename dirname realpath readlink which type true false test [ sleep ps id whoami uname hostname cd jq'
  ).split(' '),
);
const GIT_READERS = new Set(
  'status diff log show blame grep ls-files ls-tree rev-parse cat-file describe shortlog'.split(' '),
);

function onlyReads(command: Command, guard: string): boolean {
  const { targets, scopes, unresolved } = command.effects();
  if (targets.length + scopes.length + unresolved.length > 0) return false;
  const parsed = commandsOf(command.line);
  if (parsed === null || parsed.hidden.length > 0) return false;
  if (parsed.writes.some((path) => path !== '/dev/null') || OPENS.test(command.line)) return false;
  return parsed.commands.every((words) =>
    isReader(
      words.map(({ value }) => value),
      guard,
    ),
  );
}

/** Output redirected to a file, but not to another stream or to /dev/null. */
const OPENS = />(?!&\d|>?\s*\/dev\/null\b)/;

function isReader([name = '', ...args]: readonly string[], guard: string): boolean {
  if (READERS.has(name)) return true;
  // Options before the subcommand may name programs to run (-c core.pager=…), and options after it a file to write.
  if (name === 'git')
    return GIT_READERS.has(args[0] ?? '') && !args.some((arg) => arg.startsWith('--output'));
  return name === 'guard' || `${[name, ...args].join(' ')} `.startsWith(`${guard} `);
}
