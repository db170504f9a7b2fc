/** Real repositories in which git commands are forecast and then run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { foresee, type Foreseen } from '../../src/git/forecast.ts';
import { monotonic } from '../../src/repo/clock.ts';
import { git, GIT_ENV, put } from '../repo/scratch.ts';

export const ENV = {
  ...GIT_ENV,
  GIT_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
};

const FILES = ['a.txt', 'm.txt', 'z.txt', 'src/h.txt', 'src/i.txt', 'src/deep/j.txt'];
const lines = (name: string, two = '2', five = '5') => `1 ${name}\n${two}\n3\n4\n${five}\n`;

export type Tree = 'clean' | 'dirty' | 'staged';

/** Two branches that differ in four files, one deleted and one added; `topic` renamed `z.txt`. */
export function makeTree(dir: string, tree: Tree): string {
  put(join(dir, '.gitignore'), 'build/\n*.log\n');
  for (const name of FILES) put(join(dir, name), lines(name));
  git(dir, 'init', '-q', '--template=', '.');
  git(dir, 'config', 'user.name', 'a');
  git(dir, 'config', 'user.email', 'a@example.com');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', '1');
  git(dir, 'checkout', '-qb', 'other');
  for (const name of ['a.txt', 'm.txt', 'z.txt', 'src/h.txt']) put(join(dir, name), lines(name, '2 other'));
  git(dir, 'rm', '-q', 'src/i.txt');
  put(join(dir, 'new.txt'), 'n\n');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', '2');
  git(dir, 'checkout', '-q', 'main');
  git(dir, 'checkout', '-qb', 'topic');
  git(dir, 'mv', 'z.txt', 'y.txt');
  put(join(dir, 't.txt'), 't\n');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 't');
  git(dir, 'checkout', '-q', 'main');
  put(join(dir, 'src/deep/j.txt'), `${lines('src/deep/j.txt')}stashed\n`);
  git(dir, 'stash', '-q');
  git(dir, 'gc', '-q');
  put(join(dir, 'build/out.bin'), 'o');
  put(join(dir, 'x.log'), 'x');
  if (tree === 'clean') return dir;
  put(join(dir, 'a.txt'), lines('a.txt', '2', '5 dirty'));
  put(join(dir, 'src/h.txt'), lines('src/h.txt', '2', '5 dirty'));
  put(join(dir, 'untracked.txt'), 'u\n');
  put(join(dir, 'fresh/one.txt'), 'u\n');
  if (tree === 'dirty') return dir;
  git(dir, 'add', 'a.txt', 'untracked.txt');
  put(join(dir, 'a.txt'), lines('a.txt', '2', '5 dirtier'));
  put(join(dir, 'm.txt'), lines('m.txt', '2', '5 staged'));
  git(dir, 'add', 'm.txt');
  return dir;
}

/** A copy of one that is made once; `base` is removed after the test file. */
export function freshTree(base: string, tree: Tree): string {
  const model = join(base, `model-${tree}`);
  if (!existsSync(model)) makeTree(model, tree);
  return copyOf(model, mkdtempSync(join(base, `${tree}-`)) + '/r');
}

/** A full copy, including timestamps. */
export function copyOf(dir: string, to: string): string {
  const { status } = spawnSync('cp', ['-a', dir, to]);
  if (status !== 0) throw new Error(`cannot copy ${dir}`);
  return to;
}

export type Snapshot = ReadonlyMap<string, string>;

export function snapshot(root: string, dir = root): Snapshot {
  const found = new Map<string, string>();
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (name === '.git') continue;
    if (lstatSync(path).isDirectory()) for (const [file, text] of snapshot(root, path)) found.set(file, text);
    else found.set(relative(root, path), readFileSync(path, 'latin1'));
  }
  return found;
}

export function difference(before: Snapshot, after: Snapshot): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((path) => before.get(path) !== after.get(path)).sort();
}

export interface Options {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limit_ms?: number;
}

/** Forecasts a line: `&&` separates commands, blanks separate words. */
export function ask(root: string, line: string, options: Options = {}): readonly Foreseen[] {
  const calls = line.split(' && ').map((part) => ({
    args: part.split(' ').slice(1),
    cwd: join(root, options.cwd ?? ''),
    env: options.env ?? {},
    stdin: options.stdin ?? null,
    source: part,
  }));
  return foresee(calls, { env: ENV, until_ms: monotonic() + (options.limit_ms ?? 20_000) });
}

/** Forecast files that change or disappear on disk, relative to the root; a removed directory is expanded. */
export function onDisk(root: string, found: readonly Foreseen[]): readonly string[] {
  const files = found.flatMap(({ touch }) => touch.files ?? []).filter(({ on_disk }) => on_disk);
  const all = files.flatMap(({ path, is_tree }) => {
    const abs = path.startsWith('/') ? path : join(root, path);
    if (is_tree !== true || !existsSync(abs)) return [relative(root, abs)];
    return [...snapshot(abs).keys()].map((inner) => relative(root, join(abs, inner)));
  });
  return [...new Set(all)].sort();
}

export const sweeping = (found: readonly Foreseen[]): readonly string[] =>
  found
    .flatMap(({ touch }) => touch.files ?? [])
    .filter(({ on_disk }) => !on_disk)
    .map(({ path }) => path)
    .sort();

export function run(root: string, line: string, options: Options = {}): number {
  const cwd = join(root, options.cwd ?? '');
  const done = spawnSync('/bin/bash', ['-c', line], {
    cwd,
    env: { ...ENV, ...options.env },
    input: options.stdin ?? '',
    encoding: 'utf8',
  });
  return done.status ?? -1;
}

export const head = (root: string): string =>
  execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, env: ENV, encoding: 'utf8' }).trim();
