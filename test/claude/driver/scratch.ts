/** A real git repository in a temporary directory, guarded by the real `guard init`. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readInstall } from '../../../src/repo/install.ts';
import { markPlace } from '../../../src/repo/known/marking.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import { type Answer, answerOf } from './answer.ts';
import {
  type Env,
  type Finished,
  GUARD,
  HOOK,
  hookLater,
  runLater,
  type Running,
  runNow,
} from './process.ts';
import { scratchRoot } from './scratch-root.ts';
import { release, sleeper, type Sleeper } from './sleepers.ts';
import { sweep } from './sweep.ts';
import { afterThisTick } from './tick.ts';

export interface Setup {
  readonly files?: Readonly<Record<string, string | Buffer>>;
  /** Arguments of `guard init`; `null` leaves the repository unguarded. */
  readonly init?: readonly string[] | null;
  /** Content of guard.config.json. */
  readonly config?: object;
  /** Runs `guard init` in this repository, for tests of its result; others get a copy of one it prepared. */
  readonly fresh?: boolean;
  /** Starts a process for every hook and command, for tests of process behaviour. */
  readonly apart?: boolean;
}

export interface Command extends Finished {
  /** Standard output as one JSON document. */
  json(): unknown;
  /** Standard output as JSON lines. */
  lines(): readonly Record<string, unknown>[];
}

export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly state: string;
  readonly env: Env;
  path(name: string): string;
  read(name: string): string;
  put(name: string, content: string | Buffer): string;
  git(...args: readonly string[]): string;
  guard(...args: readonly string[]): Command;
  guardWith(env: Env, ...args: readonly string[]): Command;
  startGuard(env: Env, ...args: readonly string[]): Running;
  /** Runs a line in bash. */
  shell(line: string, env: Env): Command;
  hook(event: object | string | Buffer, env?: Env): Answer;
  startHook(event: object, env?: Env): Promise<Answer>;
  /** Like `startHook`, with text that need not be an event. */
  startText(stdin: string, env?: Env): Promise<Answer>;
  /** The ledger's records, of one type if given. */
  log(type?: string): readonly Record<string, unknown>[];
  /** A process that lives until the test ends or kills it. */
  sleeper(): Sleeper;
}

export function scratch(setup: Setup = {}): Scratch {
  const { files = {}, init = [], config, fresh: isFresh = false, apart = false } = setup;
  const base = emptyDirectory();
  if (!isFresh) copyTree(prepared(init), base);
  const made = inside(base, apart);
  if (!isFresh && init !== null) remark(made.scratch);
  onTestFinished(() => made.dispose());
  if (isFresh) prepare(made.scratch, init);
  for (const [name, content] of Object.entries(files)) made.scratch.put(name, content);
  if (config !== undefined) made.scratch.put('guard.config.json', JSON.stringify(config));
  return made.scratch;
}

/** guard does not trust a copied repository, so mark this one as set up in its place. */
function remark(at: Scratch): void {
  setUpBy(at, at);
}

/** Copies files and directories with modes: `cpSync` of Node 24 loses those of directories, and takes twice as long. */
export function copyTree(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true, mode: fs.statSync(from).mode });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!entry.isDirectory()) fs.copyFileSync(source, target);
    else copyTree(source, target);
  }
}

/** Marks `at` as set up from the home of `by` too: each scratch repository has its own home. */
export function setUpBy({ root }: Scratch, { env }: Scratch): void {
  const repo = locateRepo(root, env);
  markPlace(repo, env, readInstall(repo.state_dir));
}

const emptyDirectory = (): string => fs.realpathSync(fs.mkdtempSync(join(scratchRoot(), 'guard-hook-')));

/** Repositories after `guard init`, made once per worker and arguments; that halves a test's time. */
const templates = new Map<string, string>();

function prepared(init: readonly string[] | null): string {
  const known = templates.get(JSON.stringify(init));
  if (known !== undefined) return known;
  const base = emptyDirectory();
  process.on('exit', () => fs.rmSync(base, { recursive: true, force: true }));
  prepare(inside(base).scratch, init);
  templates.set(JSON.stringify(init), base);
  return base;
}

function prepare(at: Scratch, init: readonly string[] | null): void {
  at.git('init', '-q', '--template=');
  if (init !== null) initialise(at, init);
}

export function initialise(at: Scratch, args: readonly string[]): void {
  const told = at.guard('init', ...args);
  if (told.exit !== 0) throw new Error(`guard init: ${String(told.exit)} ${told.stdout}${told.stderr}`);
}

function inside(base: string, apart = false): { scratch: Scratch; dispose: () => void } {
  const [root, home] = [join(base, 'repo'), join(base, 'home')];
  const sleepers: Sleeper[] = [];
  fs.mkdirSync(root, { recursive: true });
  fs.mkdirSync(home, { recursive: true });
  const env: Env = {
    PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const path = (name: string): string => (name.startsWith('/') ? name : join(root, name));
  const start = (args: readonly string[], more: Env) => ({
    args,
    cwd: root,
    env: { ...env, ...more },
    apart,
  });
  const guardWith = (more: Env, ...args: readonly string[]): Command =>
    commandOf(runNow(start([GUARD, ...args], more)));
  const scratch: Scratch = {
    root,
    home,
    state: join(root, '.git/guard'),
    env,
    path,
    read: (name) => fs.readFileSync(path(name), 'utf8'),
    put(name, content) {
      afterThisTick();
      fs.mkdirSync(dirname(path(name)), { recursive: true });
      fs.writeFileSync(path(name), content);
      return path(name);
    },
    git: (...args) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }),
    guard: (...args) => guardWith({}, ...args),
    guardWith,
    shell: (line, more) => commandOf(runNow({ ...start(['-c', line], more), program: '/bin/bash' })),
    startGuard: (more, ...args) => runLater(start([GUARD, ...args], more)),
    hook: (event, more = {}) =>
      answerOf(runNow({ ...start([HOOK], hookEnv(root, more)), stdin: stdinOf(event) })),
    startHook: (event, more) => scratch.startText(JSON.stringify(event), more),
    startText: async (stdin, more = {}) =>
      answerOf(await hookLater({ ...start([HOOK], hookEnv(root, more)), stdin })),
    log(type) {
      const told = scratch.guard('log', '--json', ...(type === undefined ? [] : ['--type', type]));
      if (told.exit !== 0) throw new Error(told.stderr);
      return told.lines();
    },
    sleeper() {
      const child = sleeper();
      sleepers.push(child);
      return child;
    },
  };
  const dispose = (): void => {
    for (const child of sleepers) release(child);
    sweep(base);
  };
  return { scratch, dispose };
}

const hookEnv = (root: string, more: Env): Env => ({ CLAUDECODE: '1', CLAUDE_PROJECT_DIR: root, ...more });

const stdinOf = (event: object | string | Buffer): string | Buffer =>
  typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event);

const commandOf = (done: Finished): Command => ({
  ...done,
  json: () => JSON.parse(done.stdout) as unknown,
  lines: () =>
    done.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
});
