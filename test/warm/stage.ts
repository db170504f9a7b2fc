/** A repository whose hooks a server may answer: that server, launchers, and other servers in its place. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Env, type Finished, HOOK, PACKAGE, runLater, scratch, type Scratch } from '../claude/driver.ts';

import { launcherName } from '../../src/install/warm-line.ts';

export const DIST = join(PACKAGE, 'dist');
const PERL = '/usr/bin/perl';
/** The launchers available on this machine: the native program (native/warm.c), and the script for all others. */
export const LAUNCHERS = [
  ...(launcherName() === 'warm' ? [] : ['program' as const]),
  ...(fs.existsSync(PERL) ? ['script' as const] : []),
];
export type Launcher = (typeof LAUNCHERS)[number];

export const wordsFor = (launcher: Launcher | undefined, dist = DIST): readonly [string, ...string[]] =>
  launcher === 'script' ? [PERL, join(dist, 'warm.pl')] : [join(dist, launcherName())];

export const buildOf = (dist: string): string =>
  /my \$build = '(\w+)'/.exec(fs.readFileSync(join(dist, 'warm.pl'), 'utf8'))?.[1] ?? '';

/** Reports that it was started and with which request, and returns what it was sent. */
export const STAND_IN = ['/bin/sh', '-c', 'echo "cold $0"; cat >&2'];
export const COLD = [process.execPath, HOOK, 'guard'];

export const isCold = ({ stdout }: Finished): boolean => stdout.startsWith('cold ');

export interface Stage extends Scratch {
  readonly socket: string;
  /** Runs a launcher with an event; `cold` is the command it starts if no server takes the event. */
  launch(event: object | string, cold?: readonly string[], more?: Env): Promise<Finished>;
}

export const stage = (
  setup: Parameters<typeof scratch>[0] = {},
  dist = DIST,
  launcher = LAUNCHERS[0],
): Stage => staged(scratch({ init: ['--preset', 'auto'], ...setup }), dist, launcher);

/** @param dist the build that launcher and server belong to */
export function staged(at: Scratch, dist: string, launcher = LAUNCHERS[0]): Stage {
  const [program, ...words] = wordsFor(launcher, dist);
  onTestFinished(() => {
    pidsIn(at).forEach(kill);
  });
  return {
    ...at,
    socket: join(at.state, 'warm', `${buildOf(dist)}.sock`),
    launch: (event, cold = STAND_IN, more = {}) =>
      runLater({
        program,
        args: [...words, ...cold],
        cwd: at.root,
        env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, ...more },
        stdin: typeof event === 'string' ? event : JSON.stringify(event),
      }).done,
  };
}

/** The pids of servers that have announced themselves. */
export const pidsIn = ({ state }: Scratch): readonly number[] =>
  namesIn(join(state, 'warm'))
    .filter((name) => name.endsWith('.pid'))
    .map((name) => Number(textOf(join(state, 'warm', name))))
    .filter((pid) => pid > 1);

const namesIn = (dir: string): readonly string[] => (fs.existsSync(dir) ? fs.readdirSync(dir) : []);

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Starting Node takes this long only on a very busy machine. */
const START_MS = 60_000;

/** Resolves when the server listens, or has ended. @param node options for Node itself */
export async function serve(at: Stage, node: readonly string[] = [], dist = DIST): Promise<void> {
  const args = [...node, join(dist, 'serve-hooks.cjs'), at.state, at.root];
  const child = spawn(process.execPath, args, { env: at.env, cwd: '/', stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = at.socket.replace(/sock$/, 'pid');
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await until(() => hasEnded() || /^\d+\n$/.test(textOf(pid)), START_MS);
}

export async function until(is: () => boolean, limit_ms = 20_000): Promise<void> {
  const begin = Date.now();
  while (!is()) {
    if (Date.now() - begin > limit_ms) throw new Error(`not within ${limit_ms} ms: ${is.toString()}`);
    await pause(20);
  }
}

/** Retries until a server answers, because a busy machine may take longer than a launcher waits. */
export async function launchWarm(at: Stage, event: object | string, more: Env = {}): Promise<Finished> {
  for (let n = 0; n < 40; n++) {
    const told = await at.launch(event, STAND_IN, more);
    if (!isCold(told)) return told;
  }
  throw new Error('no server took it up');
}

/** Something else that listens in the server's place. */
export async function inItsPlace(at: Stage, meet: (socket: Socket) => void): Promise<void> {
  fs.mkdirSync(dirname(at.socket), { recursive: true, mode: 0o700 });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    meet(socket);
  });
  await new Promise<void>((done) => server.listen(at.socket, done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}
