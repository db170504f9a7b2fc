// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Lock tools of MCP servers: guard's own learn who calls; foreign ones show what their agents hold and wait for. */
import { positive } from './bash-time.ts';
import { asList } from '../../core/json-object.ts';
import { ifAllowed } from '../../core/attempt.ts';
import { deadlockDenial, releaseLine, toldToVictim, toldToWinner } from '../../core/deadlock-words.ts';
import { coordinationServer, lockCallOf, type LockTool } from '../../core/lock-tools.ts';
import { shownAt } from '../../core/shown.ts';
import type { Deadlock } from '../../core/rules/deadlock.ts';
import type { ShadowEvent } from '../../core/rules/shadow-locks.ts';
import { ownServers } from '../../install/mcp-server.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { noticeAll } from '../commands/notice-all.ts';
import type { HookInput } from '../hook-input.ts';
import { context, denyFor, type HookOutput, SILENT } from '../output.ts';
import type { Hook } from '../context.ts';
import { noteAlive } from './alive.ts';
import { preHarness } from './harness-tools.ts';
import { beginExclusive, endCall } from './open-call.ts';
import { answersIn, type LockAnswer } from './lock-answers.ts';
import { signedInput, unclaimed } from './signed-input.ts';

/** Null if it is no lock tool that guard knows. */
export function preLock(hook: Hook): HookOutput | null {
  const { input, home, who } = hook;
  const coordination = coordinationServer(input.tool);
  if (coordination !== null && isOwn(coordination, hook)) return named(hook);
  const call = lockCallOf(input.tool);
  if (call === null) return preHarness(hook) ?? (coordination === null ? null : unclaimed(input));
  if (isOwn(call.server, hook)) return named(hook);
  const server = foreignServer(call.server, hook);
  if (server === null) return unclaimed(input);
  if (call.tool !== 'lock_wait') noteAlive(hook);
  else {
    const files = filesIn(hook, input);
    const until_mono_ms = hook.now.mono_ms + longestWait_ms(input, files.length);
    const told = home.run({ ...quiet(server, who), waits: { files, until_mono_ms } });
    const dead = told.find(({ victim }) => victim === who.id);
    if (dead !== undefined) return refuse(hook, dead);
  }
  return SILENT;
}

export function postLock(hook: Hook): HookOutput | null {
  const { input, home, who } = hook;
  const call = lockCallOf(input.tool);
  const server = call === null ? null : foreignServer(call.server, hook);
  if (call === null || server === null) return call !== null && isOwn(call.server, hook) ? alive(hook) : null;
  const files = filesIn(hook, input);
  const event = AFTER[call.tool](answersIn(input.tool_response), (given) => fileOf(hook, given));
  const told = home.run({ ...quiet(server, who), ended: files, ...event });
  const words = told.map((dead) => wordsFor(dead, hook));
  return context('PostToolUse', words);
}

/** Ends the wait of a call that failed, or whose end only its batch reported. */
export function endForeignWait(hook: Hook, input: HookInput): void {
  const call = lockCallOf(input.tool);
  const server = call?.tool === 'lock_wait' ? foreignServer(call.server, hook) : null;
  if (server === null) return;
  hook.home.run({ ...quiet(server, hook.who), ended: filesIn(hook, input) });
}

/** Replaces whatever the model wrote with the caller under a seal and the directory where its relative paths begin. */
function named(hook: Hook): HookOutput {
  beginExclusive(hook);
  // Before it releases a lock, the agent must know what happened to its files.
  if (/__lock_release/.test(hook.input.tool)) noticeAll(hook, { op: '', hears: false, before: false });
  return signedInput(hook);
}

function alive(hook: Hook): HookOutput {
  endCall(hook);
  return SILENT;
}

const isOwn = (server: string, { home, env }: Hook): boolean =>
  ownServers(home.repo.root, env).includes(server);

/** The server's configured key; a plugin's server has the plugin's name as a prefix. */
function foreignServer(server: string, hook: Hook): string | null {
  const names = hook.home.config.lock_servers;
  if (isOwn(server, hook)) return null;
  return (
    names.find((name) => server === name || (server.startsWith('plugin_') && server.endsWith(`_${name}`))) ??
    null
  );
}

const quiet = (server: string, who: Hook['who']): ShadowEvent => ({
  type: 'lock.shadow',
  who,
  server,
  waits: null,
  ended: [],
  held: [],
  refused: [],
  released: [],
});

type Told = Partial<Pick<ShadowEvent, 'held' | 'refused' | 'released'>>;
type FileOf = (given: string) => string;

const gotOrNot = (rows: readonly LockAnswer[], file: FileOf): Told => ({
  held: rows.filter(({ acquired }) => acquired === true).map(({ filepath }) => file(filepath)),
  refused: rows
    .filter(({ acquired }) => acquired === false)
    .map(({ filepath, holder }) => ({ file: file(filepath), holder })),
});

const AFTER: Readonly<Record<LockTool, (rows: readonly LockAnswer[], file: FileOf) => Told>> = {
  lock_try: gotOrNot,
  lock_wait: gotOrNot,
  lock_release: (rows, file) => ({
    released: rows.filter(({ released }) => released === true).map(({ filepath }) => file(filepath)),
  }),
  lock_release_all: () => ({ released: 'all' }),
  lock_status: () => ({}),
};

const DEFAULT_WAIT_S = 30;
/** The time that a client needs to start and to end a call. */
const MARGIN_MS = 5_000;

/** The timeout applies to each file, one after the other. */
function longestWait_ms({ tool_input }: HookInput, files: number): number {
  return Math.max(1, files) * positive(tool_input['timeout_seconds'], DEFAULT_WAIT_S) * 1000 + MARGIN_MS;
}

function filesIn(hook: Hook, { tool_input }: HookInput): string[] {
  const names = asList(tool_input['filepaths']).filter((name) => typeof name === 'string');
  return [...new Set(names.map((name) => fileOf(hook, name)))].sort();
}

/** The canonical path, as everywhere; a name that is not a path is kept as it is. */
const fileOf = (hook: Hook, given: string): string => ifAllowed(() => hook.resolve(given).path, given);

/** This denies no write, only a wait that would end in a timeout anyway. */
function refuse(hook: Hook, dead: Deadlock): HookOutput {
  const { home } = hook;
  const [path = ''] = dead.cycle.filter(({ from }) => from === hook.who.id).map((edge) => edge.path);
  const at = shownAt(path, path, home.facts());
  return denyFor([deadlockDenial(at, dead, spelledAt(home.repo))]);
}

const wordsFor = (dead: Deadlock, { who, home }: Hook): string =>
  dead.victim === who.id
    ? toldToVictim(dead, releaseLine(dead, home.facts().guard_command, spelledAt(home.repo)))
    : toldToWinner(dead, who.id);
