/**
 * The processes of a replay: git, guard's commands, one real hook process for every event, and a stand-in for every
 * client process that the recording names (a holder whose client is gone would lose its leases). Of the caller's
 * environment they get only PATH and the directory for temporary files; of the recorded environment only the variables
 * of hooks.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markOf } from '../claude/shell/mark.ts';
import { GuardError } from '../core/error.ts';
import { readKey } from '../repo/key.ts';
import { makeKey } from '../repo/make-key.ts';
import type { HookAnswer } from './outcome.ts';
import { toScratch, type ReplayPlaces } from './places.ts';

export type Env = Readonly<Record<string, string>>;

export interface Machine {
  hook(stdin: string, env: Env, cwd: string): Promise<HookAnswer>;
  guard(args: readonly string[], env: Env): Promise<HookAnswer>;
  git(args: readonly string[], cwd: string): Promise<void>;
  close(): void;
}

/** A recording must not set NODE_OPTIONS or PATH. */
const RECORDED_NAMES = /^(CLAUDE|GUARD|INTERLOCK|INTERMUTE)[A-Z_]*$/;
const KEPT_NAMES = ['PATH', 'TMPDIR', 'TEMP', 'SystemRoot'];
const HOOK_LIMIT_MS = 60_000;
const GIT = 'user.name=replay user.email=replay@invalid init.defaultBranch=main commit.gpgSign=false'
  .split(' ')
  .flatMap((setting) => ['-c', setting]);

interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Env;
  readonly cwd: string;
  readonly stdin?: string;
}

function run({ file, args, env, cwd, stdin = '' }: Command): Promise<HookAnswer> {
  const where = existsSync(cwd) ? cwd : undefined;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { env, cwd: where, timeout: HOOK_LIMIT_MS });
    const [stdout, stderr]: Buffer[][] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout?.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr?.push(chunk));
    // A hook may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => reject(unstartable(file, error)));
    child.on('close', (exit) => resolve({ exit, stdout: textOf(stdout), stderr: textOf(stderr) }));
    child.stdin.end(stdin);
  });
}

/** The agent that makes the call, according to the recording; null if it is outside a session. */
function agentOf(args: readonly string[], env: Env): string | null {
  const at = args.indexOf('--agent');
  const session = env['CLAUDE_CODE_SESSION_ID'] ?? '';
  return (at === -1 ? undefined : args[at + 1]) ?? (session === '' ? null : `claude-${session}`);
}

/** Runs it in a shell with the mark that guard's hook would have added, which a call needs if there are subagents. */
function marked(
  [file = '', ...args]: readonly string[],
  agent: string | null,
  env: Env,
): Pick<Command, 'file' | 'args'> {
  const key = agent === null || process.platform === 'win32' ? null : (readKey(env) ?? makeKey(env));
  if (key === null || agent === null) return { file, args };
  const script = `"$@"; exit $?\n${markOf(key, agent, env['CLAUDE_CODE_SESSION_ID'] ?? '')}`;
  return { file: '/bin/sh', args: ['-c', script, 'sh', file, ...args] };
}

const textOf = (chunks: readonly Buffer[] = []): string => Buffer.concat(chunks).toString('utf8');

const unstartable = (file: string, error: Error): GuardError =>
  new GuardError(
    'GUARD_ERR_IO',
    `${file} cannot be started: ${error.message}`,
    'guard replay needs git and a built guard.',
    { file },
    error,
  );

/** Processes that live until their standard input ends, so at most as long as this one. */
function standIns() {
  const byPid = new Map<string, ChildProcess>();
  return {
    pidFor(recorded: string): string {
      const known =
        byPid.get(recorded) ??
        spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
      byPid.set(recorded, known);
      return String(known.pid ?? process.pid);
    },
    close: () => byPid.forEach((child) => child.kill()),
  };
}

/** `root`: guard's own directory. */
export function makeMachine(root: string, places: ReplayPlaces): Machine {
  const clients = standIns();
  const kept = KEPT_NAMES.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  );
  const base: Env = {
    ...Object.fromEntries(kept),
    HOME: places.home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    NO_COLOR: '1',
  };
  const envOf = (recorded: Env): Env => {
    const own = Object.entries(recorded).filter(([name]) => RECORDED_NAMES.test(name));
    const changed = own.map(([name, value]) => [
      name,
      name === 'CLAUDE_PID' ? clients.pidFor(value) : toScratch(value, places),
    ]);
    return { ...base, ...(Object.fromEntries(changed) as Env) };
  };
  const node = process.execPath;
  return {
    hook: (stdin, env, cwd) =>
      run({ file: node, args: [join(root, 'dist/hook.cjs')], env: envOf(env), cwd, stdin }),
    guard(args, env) {
      const around = envOf(env);
      const call = [node, join(root, 'bin/guard.mjs'), ...args];
      return run({ ...marked(call, agentOf(args, around), around), env: around, cwd: places.repo });
    },
    async git(args, cwd) {
      const { exit, stderr } = await run({ file: 'git', args: [...GIT, ...args], env: base, cwd });
      if (exit !== 0)
        throw new GuardError(
          'GUARD_ERR_IO',
          `git ${args.join(' ')} failed: ${stderr.trim()}`,
          'guard replay needs a working git.',
        );
    },
    close: () => clients.close(),
  };
}
