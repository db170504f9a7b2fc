// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Lock tools of MCP servers: guard's own learn who calls, foreign ones tell what their agents hold and wait for. */
import { deadlockDenial, releaseLine, toldToVictim, toldToWinner } from '../../core/deadlock-words.ts';
import { denialOf } from '../../core/denial.ts';
import { coordinationServer, lockCallOf } from '../../core/lock-tools.ts';
import type { LockTool } from '../../core/lock-tools.ts';
import { shownAt } from '../../core/shown.ts';
import type { Deadlock } from '../../core/rules/deadlock.ts';
import type { ShadowEvent } from '../../core/rules/shadow-locks.ts';
import { isGuardError } from '../../core/error.ts';
import { ownServers } from '../../install/mcp-server.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { noticeAll } from '../commands/notice-all.ts';
import type { HookInput } from '../input.ts';
import { context, deny, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { Scene } from '../scene.ts';
import { noteAlive } from './alive.ts';
import { preHarness } from './harness-tools.ts';
import { openCall, endCall } from './open-call.ts';
import { answersIn } from './lock-answers.ts';
import type { LockAnswer } from './lock-answers.ts';
import { signedInput, unclaimed } from './signed-input.ts';

/** Null: no lock tool of anybody's that guard knows. */
export function preLock(scene: Scene): HookOutput | null {
  const { input, home, who } = scene;
  const coordination = coordinationServer(input.tool);
  if (coordination !== null && isOwn(coordination, scene)) return named(scene);
  const call = lockCallOf(input.tool);
  if (call === null) return preHarness(scene) ?? (coordination === null ? null : unclaimed(input));
  if (isOwn(call.server, scene)) return named(scene);
  const server = foreignServer(call.server, scene);
  if (server === null) return unclaimed(input);
  if (call.tool !== 'lock_wait') noteAlive(scene);
  else {
    const files = filesIn(scene, input);
    const until_mono_ms = scene.now.mono_ms + longestWait_ms(input, files.length);
    const told = home.run({ ...quiet(server, who), waits: { files, until_mono_ms } });
    const dead = told.find(({ victim }) => victim === who.id);
    if (dead !== undefined) return refuse(scene, dead);
  }
  return SILENT;
}

export function postLock(scene: Scene): HookOutput | null {
  const { input, home, who } = scene;
  const call = lockCallOf(input.tool);
  const server = call === null ? null : foreignServer(call.server, scene);
  if (call === null || server === null)
    return call !== null && isOwn(call.server, scene) ? alive(scene) : null;
  const files = filesIn(scene, input);
  const event = AFTER[call.tool](answersIn(input.tool_response), (given) => fileOf(scene, given));
  const told = home.run({ ...quiet(server, who), ended: files, ...event });
  const words = told.map((dead) => wordsFor(dead, scene));
  return context('PostToolUse', words);
}

/** A call that failed, or whose end nobody told but the end of its batch: its wait is over. */
export function endForeignWait(scene: Scene, input: HookInput): void {
  const call = lockCallOf(input.tool);
  const server = call?.tool === 'lock_wait' ? foreignServer(call.server, scene) : null;
  if (server === null) return;
  scene.home.run({ ...quiet(server, scene.who), ended: filesIn(scene, input) });
}

/** Who calls, under seal, in the place of whatever the model wrote, and where its relative paths begin. */
function named(scene: Scene): HookOutput {
  const { who, home } = scene;
  const open = home.agent()?.op;
  // Another call means that a write of this agent that is still open was never carried out.
  if (!openCall(scene)) {
    if (open !== undefined && open !== null) home.run({ type: 'op.end', who, ops: null });
    else noteAlive(scene);
  }
  // Before it lets go, it must know what became of its files.
  if (/__lock_release/.test(scene.input.tool)) noticeAll(scene, { op: '', hears: false, before: false });
  return signedInput(scene);
}

function alive(scene: Scene): HookOutput {
  endCall(scene);
  return SILENT;
}

const isOwn = (server: string, { home, env }: Scene): boolean =>
  ownServers(home.repo.root, env).includes(server);

/** Its configured key; a plugin's server has the plugin's name in front of it. */
function foreignServer(server: string, scene: Scene): string | null {
  const names = scene.home.config.lock_servers;
  if (isOwn(server, scene)) return null;
  return (
    names.find((name) => server === name || (server.startsWith('plugin_') && server.endsWith(`_${name}`))) ??
    null
  );
}

const quiet = (server: string, who: Scene['who']): ShadowEvent => ({
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
/** What a client takes to start and to end a call. */
const MARGIN_MS = 5_000;

/** The timeout counts for each file, one after the other. */
function longestWait_ms({ tool_input }: HookInput, files: number): number {
  const given = Number(tool_input['timeout_seconds'] ?? DEFAULT_WAIT_S);
  const seconds = Number.isFinite(given) && given >= 0 ? given : DEFAULT_WAIT_S;
  return Math.max(1, files) * seconds * 1000 + MARGIN_MS;
}

function filesIn(scene: Scene, { tool_input }: HookInput): string[] {
  const given = tool_input['filepaths'];
  const names = (Array.isArray(given) ? given : []).filter(
    (name): name is string => typeof name === 'string',
  );
  return [...new Set(names.map((name) => fileOf(scene, name)))].sort();
}

/** The canonical path, as everywhere; a name that is no path stays what it is. */
function fileOf(scene: Scene, given: string): string {
  try {
    return scene.resolve(given).path;
  } catch (error) {
    if (isGuardError(error)) return given;
    throw error;
  }
}

/** No write is denied here: a wait that would only run into its timeout. */
function refuse(scene: Scene, dead: Deadlock): HookOutput {
  const { home } = scene;
  const [path = ''] = dead.cycle.filter(({ from }) => from === scene.who.id).map((edge) => edge.path);
  const at = shownAt(path, path, home.facts);
  const denial = denialOf([deadlockDenial(at, dead, spelledAt(home.repo))]);
  return denial === null ? SILENT : deny(denial);
}

const wordsFor = (dead: Deadlock, { who, home }: Scene): string =>
  dead.victim === who.id
    ? toldToVictim(dead, releaseLine(dead, home.facts.guard_command, spelledAt(home.repo)))
    : toldToWinner(dead, who.id);
