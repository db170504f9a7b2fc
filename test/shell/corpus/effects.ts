/** Runs a command as the client's Bash tool does, and says by digests which files are not as they were. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inPlaces } from './fixture.ts';
import type { Places } from './fixture.ts';

/** By path: kind, permissions and digest. */
export type Snapshot = ReadonlyMap<string, string>;

/** Git's own files are no files of anybody, and packages are shared by all fixtures. */
const LEFT_OUT = new Set(['.git', 'node_modules']);

export function snapshot(root: string, dir = ''): Snapshot {
  const entries = fs.readdirSync(join(root, dir), { withFileTypes: true });
  const found = new Map<string, string>();
  for (const entry of entries) {
    if (LEFT_OUT.has(entry.name)) continue;
    const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
    if (entry.isDirectory()) for (const [name, state] of snapshot(root, path)) found.set(name, state);
    else found.set(path, stateOf(join(root, path), entry));
  }
  return found;
}

function stateOf(file: string, entry: fs.Dirent): string {
  if (entry.isSymbolicLink()) return `link 0 ${fs.readlinkSync(file)}`;
  if (!entry.isFile()) return 'other 0 -';
  const { mode } = fs.lstatSync(file);
  return `file ${(mode & 0o777).toString(8)} ${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}`;
}

/** `M path` content, `A path` made, `D path` gone, `P path` permissions alone. */
export function changesBetween(before: Snapshot, after: Snapshot): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) return [];
    if (was === undefined) return [`A ${path}`];
    if (is === undefined) return [`D ${path}`];
    return [`${contentOf(was) === contentOf(is) ? 'P' : 'M'} ${path}`];
  });
}

const contentOf = (state: string): string => state.replace(/^(\w+) \d+ /, '$1 ');

/** The paths of changes as they are written. */
export const pathsOf = (changes: readonly string[]): readonly string[] =>
  changes.map((change) => change.slice(2));

export interface Ran {
  /** Null when it was killed at the time limit. */
  readonly exit: number | null;
  readonly output: string;
}

const LIMIT_MS = 30_000;

/** Names every descendant, also those that left the process group. */
const TAG = 'SHELL_CORPUS_RUN';

/** `eval` inside of `-c` without input, as the client does; waits for what the command left in the background. */
export async function runIn(places: Places, cwd: string, command: string): Promise<Ran> {
  const tag = `${TAG}=${randomUUID()}`;
  const line = `eval '${inPlaces(command, places).replaceAll("'", `'"'"'`)}' < /dev/null`;
  const args = [...WITHOUT_NETWORK, '/bin/bash', '-c', line];
  const [name = '', value = ''] = tag.split('=');
  const child = spawn('/usr/bin/env', args, {
    cwd: join(places.root, cwd),
    env: { ...places.env, CLAUDECODE: '1', [name]: value },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const limit = setTimeout(() => endAll(tag), LIMIT_MS);
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', (code) => resolve(code));
  });
  clearTimeout(limit);
  for (let waited_ms = 0; runningWith(tag).length > 0; waited_ms += 50) {
    if (waited_ms > LIMIT_MS) endAll(tag);
    await sleep(50);
  }
  return { exit, output };
}

/** A network of its own, with nothing in it, where the kernel allows that. */
const WITHOUT_NETWORK: readonly string[] =
  spawnSync('unshare', ['-n', 'true']).status === 0 ? ['unshare', '-n'] : [];

function runningWith(tag: string): readonly number[] {
  const pids = fs.existsSync('/proc/self/environ')
    ? fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    : [];
  return pids.filter((pid) => environmentOf(pid).includes(tag)).map(Number);
}

function environmentOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function endAll(tag: string): void {
  for (const pid of runningWith(tag)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}
