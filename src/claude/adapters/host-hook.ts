/** Runs one hook event of another client from text to answer: its row of the table, then the same routes and rules as Claude Code. */
import { attempt } from '../../core/attempt.ts';
import type { HookEnvironment } from '../context.ts';
import { notUnderstood } from '../failed.ts';
import { asFields } from '../fields.ts';
import { outcomeFor } from '../hook.ts';
import { withoutOuter } from '../hosts/host.ts';
import { inputFrom } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import { type HookOutput, SILENT } from '../output.ts';
import { withContext } from '../output-added.ts';
import { type Route, EVENT_ROUTES } from '../route.ts';
import type { Stdin } from '../stdin.ts';
import type { Adapter, HostEvent } from './adapter.ts';
import { clientProcess } from './client-process.ts';
import type { HostName } from './index.ts';
import { endUnreported, noteOpen } from './unreported.ts';

/** The arguments after `--host` on the command line. */
export interface HostAsked {
  readonly host: HostName;
  readonly adapter: Adapter;
  readonly name: string;
}

export function runHostHook(
  { host, adapter, name }: HostAsked,
  stdin: Stdin,
  given: HookEnvironment,
): HookOutput {
  const raw = stdin.whole ? attempt(() => asFields(JSON.parse(stdin.text)), null) : null;
  if (raw === null) return unread(adapter, stdin, given.cwd);
  const event: HostEvent = { raw, name, env: given.env, cwd: given.cwd };
  const told = adapter.terms(event);
  if (told === null) return SILENT;
  const env = { ...withoutOuter(given.env), CLAUDE_PROJECT_DIR: adapter.project(event) };
  const parsed = inputFrom([host, told], given.cwd, env);
  if (parsed === null) return unread(adapter, stdin, given.cwd);
  const input: HookInput = {
    ...parsed,
    proc: clientProcess(adapter.pid?.(event)),
    paths: adapter.paths?.(told),
  };
  const routed = adapter.unreported === true ? UNREPORTED : ROUTES;
  return refused(adapter, adapter.answer(outcomeFor(input, routed, { ...given, env }), input));
}

/** Denies an event that cannot be parsed if it may be a write, under the event name that guard knows. */
function unread(adapter: Adapter, stdin: Stdin, cwd: string): HookOutput {
  const { before } = adapter;
  const text = before === undefined ? stdin.text : stdin.text.replace(`"${before}"`, '"PreToolUse"');
  return refused(adapter, notUnderstood({ ...stdin, text }, cwd));
}

/** Plain text, for clients where JSON on standard error would not refuse. */
const refused = ({ parses_stderr }: Adapter, output: HookOutput): HookOutput =>
  output.exit === 2 && parses_stderr === true ? { ...output, stderr: `guard: ${output.stderr}` } : output;

/** A call that names its targets always concerns guard. */
const judged = ({ passes, ...route }: Route): Route => ({
  ...route,
  ...(passes === undefined ? {} : { passes: (input) => input.paths === undefined && passes(input) }),
});

const settled = (route: Route): Route => ({
  ...route,
  // Any event of the agent closes an open call, even one that guard otherwise ignores.
  ...(route.passes === undefined ? {} : { passes: () => false }),
  run: (hook) => {
    const before = endUnreported(hook);
    const { event, paths } = hook.input;
    const output = route.passes?.(hook.input) === true ? SILENT : route.run(hook);
    if (event === 'PreToolUse' && paths !== undefined && output.exit === 0) noteOpen(hook);
    const note = attempt(() => contextIn(before), '');
    return note === '' || output.exit !== 0 ? output : withContext(event, output, note);
  },
});

const contextIn = ({ stdout }: HookOutput): string =>
  (JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
    .additionalContext;

const routes = (as: (route: Route) => Route): Readonly<Record<string, Route>> =>
  Object.fromEntries(Object.entries(EVENT_ROUTES).map(([event, route]) => [event, as(route)]));

const ROUTES = routes(judged);
const UNREPORTED = routes((route) => settled(judged(route)));
