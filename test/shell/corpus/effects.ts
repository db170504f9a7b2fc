/** Runs a command as the client's Bash tool does, and compares digests to find the files it changed. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inPlaces, type Places } from './fixture.ts';

/** Kind, permissions and digest by path. */
export type Snapshot = ReadonlyMap<string, string>;

/** Git's own files belong to no agent, all fixtures share the packages, and bytecode is named after a version. */
const LEFT_OUT = new Set(['.git', 'node_modules', '__pycache__']);

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

/** `M path` content changed, `A path` added, `D path` deleted, `P path` only permissions changed. */
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

/** The paths named by a list of changes. */
export const pathsOf = (changes: readonly string[]): readonly string[] =>
  changes.map((change) => change.slice(2));

export interface Ran {
  /** Null if it was killed at the time limit. */
  readonly exit: number | null;
  readonly output: string;
}

const LIMIT_MS = 30_000;

/** Marks every descendant, including those that left the process group. */
const TAG = 'SHELL_CORPUS_RUN';

/** Runs `eval` under `-c` without input, as the client does; waits for background processes of the command. */
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
  const limit = setTimeout(() => endAll(tag, child.pid), LIMIT_MS);
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('exit', (code) => resolve(code));
  });
  clearTimeout(limit);
  // Require two quiet looks: during exec, a process briefly has no environment.
  for (let [waited_ms, quiet] = [0, 0]; quiet < 2; waited_ms += 40) {
    const left = runningWith(tag, child.pid);
    quiet = left.length === 0 ? quiet + 1 : 0;
    if (waited_ms > LIMIT_MS) endAll(tag, child.pid);
    await sleep(40);
  }
  return { exit, output };
}

/** An empty network namespace, where the kernel allows one. */
const WITHOUT_NETWORK: readonly string[] =
  [
    ['unshare', '-n'],
    ['unshare', '-rn'],
  ].find((words) => spawnSync('env', [...words, 'true']).status === 0) ?? [];

/** Processes with the tag in their environment or in the group; Linux only. */
function runningWith(tag: string, group: number | undefined): readonly number[] {
  if (!fs.existsSync('/proc/self/environ')) return [];
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const mine = (pid: string): boolean =>
    textOf(`/proc/${pid}/environ`).includes(tag) || isOfGroup(textOf(`/proc/${pid}/stat`), group);
  return pids.filter(mine).map(Number);
}

/** `pid (name) state parent group …`; zombies do not count. */
const isOfGroup = (stat: string, group: number | undefined): boolean => {
  const [state, , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state !== 'Z' && of === String(group);
};

/** Empty if the process is gone. */
function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function endAll(tag: string, group: number | undefined): void {
  for (const pid of runningWith(tag, group)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already exited.
    }
  }
}
