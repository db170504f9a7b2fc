/** Repositories with worktrees, generated from a seed, and git's real result of merging their checkouts. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { forecastOf, type ForecastAnswer } from '../../src/forecast/answer.ts';
import { lookAhead, type LookWish } from '../../src/forecast/look.ts';
import { repositoryAt } from '../../src/forecast/place.ts';
import { GIT_ENV, put } from '../repo/scratch.ts';

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, {
    cwd,
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const tried = (cwd: string, ...args: readonly string[]): number | null =>
  spawnSync('git', args, { cwd, env: GIT_ENV, stdio: 'ignore' }).status;

/** A forecast in this process; `dir` stores what the next forecast needs. */
export async function forecast(
  cwd: string,
  dir: string,
  more: Partial<Pick<LookWish, 'trunk' | 'changed' | 'env' | 'kept_bytes_max'>> = {},
): Promise<ForecastAnswer> {
  fs.mkdirSync(dir, { recursive: true });
  return forecastOf(
    await lookAhead({ env: GIT_ENV, repository: await repositoryAt(cwd, GIT_ENV), dir, ...more }),
  );
}

const LINES = 12;
const text = (name: string, changed: ReadonlyMap<number, string> = new Map()): string =>
  `${Array.from({ length: LINES }, (_, at) => changed.get(at) ?? `line ${at} of ${name}`).join('\n')}\n`;

/** A repository with one commit on main. */
export function newRepository(
  root: string,
  files: readonly string[] = ['a.txt', 'd/b.txt', 'd/e/c.txt'],
): string {
  for (const name of files) put(join(root, name), text(name));
  git(root, 'init', '-q', '-b', 'main', '--template=');
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'base');
  return root;
}

export function newWorktree(root: string, name: string, from = 'main'): string {
  const dir = join(dirname(root), `${name} of ${root.split('/').at(-1) ?? ''}`, name);
  git(root, 'worktree', 'add', '-q', '-b', `b-${name}`, dir, from);
  return dir;
}

export function editLine(file: string, line: number, to: string): void {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  lines[line] = to;
  fs.writeFileSync(file, lines.join('\n'));
}

type Random = (below: number) => number;

export function randomBy(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const DIRS = ['d', 'd/e', 'd/e/f', 'g', 'h/i'];
const NAMES = DIRS.flatMap((dir) => ['1.txt', '2.txt', '3.txt'].map((name) => `${dir}/${name}`));

const filesIn = (root: string): string[] =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map((one) => join(one.parentPath, one.name).slice(root.length + 1))
    .filter((name) => !name.startsWith('.git'))
    .sort();

/** One change that someone makes in a checkout. */
function act(root: string, random: Random, who: string): void {
  const files = filesIn(root);
  const name = files[random(files.length)];
  if (name === undefined) return;
  const file = join(root, name);
  const dir = dirname(name);
  const stat = fs.lstatSync(file);
  const move = (to: string): void => {
    if (to === file || fs.existsSync(to)) return;
    fs.mkdirSync(dirname(to), { recursive: true });
    fs.renameSync(file, to);
  };
  const acts: readonly (() => void)[] = [
    () => stat.isFile() && editLine(file, random(LINES), `by ${who} ${random(3)}`),
    () => stat.isFile() && editLine(file, random(LINES), `by ${who} ${random(3)}`),
    () => fs.rmSync(file),
    () => move(join(root, dir, `moved-${random(2)}.txt`)),
    () => move(join(root, DIRS[random(DIRS.length)] ?? 'd', name.split('/').at(-1) ?? '')),
    () => stat.isFile() && fs.chmodSync(file, stat.mode ^ 0o111),
    () =>
      put(
        join(root, DIRS[random(DIRS.length)] ?? 'd', `new-${random(3)}.txt`),
        text('new', new Map([[random(LINES), who]])),
      ),
    () => {
      const to = join(root, `renamed-${random(2)}`, dir.split('/').at(-1) ?? '');
      if (dir === '.' || fs.existsSync(to)) return;
      fs.mkdirSync(dirname(to), { recursive: true });
      fs.renameSync(join(root, dir), to);
    },
    () => {
      fs.rmSync(file);
      fs.symlinkSync(random(2) === 0 ? 'target' : `to-${who}`, file);
    },
    () => {
      fs.rmSync(file);
      put(join(file, 'inside.txt'), who);
    },
  ];
  acts[random(acts.length)]?.();
}

const commitAll = (dir: string): void => {
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'more');
};

/** git 2.39 itself aborts some merges while writing files (BUG: merge-ort.c:4464). */
const unlock = (dir: string): void =>
  fs.rmSync(resolve(dir, git(dir, 'rev-parse', '--git-path', 'index.lock')), { force: true });

/** A main checkout and three worktrees, with commits, merges of each other, and uncommitted work. */
export function makeHistory(root: string, seed: number): { readonly dirs: readonly string[] } {
  const random = randomBy(seed);
  newRepository(root, NAMES);
  const trees = ['x', 'y', 'z'].map((name) => newWorktree(root, name));
  const dirs = [root, ...trees];
  for (let round = 0; round < 3; round++)
    for (const [nth, dir] of dirs.entries()) {
      if (random(3) === 0) continue;
      for (let count = random(3); count >= 0; count--) act(dir, random, `${nth}`);
      commitAll(dir);
      const other = ['main', 'b-x', 'b-y', 'b-z'][random(4)] ?? 'main';
      if (random(3) !== 0 || tried(dir, 'merge', '-q', '-m', 'm', other) === 0) continue;
      unlock(dir);
      if (tried(dir, 'merge', '--abort') !== 0) git(dir, 'reset', '-q', '--hard');
    }
  for (const [nth, dir] of dirs.entries())
    if (random(3) !== 0) for (let count = random(3); count >= 0; count--) act(dir, random, `open ${nth}`);
  return { dirs };
}

export interface RealMerge {
  readonly is_clean: boolean;
  readonly files: readonly string[];
}

/** What git reports and leaves in the files of a merge that stopped. */
export interface RealConflicts {
  readonly kinds: readonly string[];
  /** By file: its conflicts, each with the lines of both sides between the markers, and both sides as a whole. */
  readonly marked: ReadonlyMap<string, Marked>;
}

interface Marked {
  readonly conflicts: readonly (readonly [ours: readonly string[], theirs: readonly string[]])[];
  readonly sides: readonly [ours: readonly string[], theirs: readonly string[]];
}

const MARKERS = /^<<<<<<< .*\n((?:.*\n)*?)=======\n((?:.*\n)*?)>>>>>>> .*$/gm;
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function realConflicts(scratch: string, said: string, files: readonly string[]): RealConflicts {
  const kinds = [...said.matchAll(/^CONFLICT ?\((.+?)\):/gm)].map(([, kind = '']) => kind);
  const marked = new Map<string, Marked>();
  for (const name of files) {
    const file = join(scratch, name);
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const found = [...fs.readFileSync(file, 'utf8').matchAll(MARKERS)];
    if (found.length === 0) continue;
    const sideOf = (stage: number) =>
      execFileSync('git', ['cat-file', 'blob', `:${stage}:${name}`], { cwd: scratch, encoding: 'utf8' });
    marked.set(name, {
      conflicts: found.map(([, ours = '', theirs = '']) => [linesOf(ours), linesOf(theirs)]),
      sides: [linesOf(sideOf(2)), linesOf(sideOf(3))],
    });
  }
  return { kinds, marked };
}

/** Really merges the full contents of two checkouts, committed in a clone with fresh indexes. */
export function realMerges(root: string, dirs: readonly string[], scratch: string) {
  git(dirname(root), 'clone', '-q', '--no-checkout', root, scratch);
  // Each head is a branch, so the clone has it.
  git(scratch, 'checkout', '-q', '--detach', 'main');
  const commits = dirs.map((dir) => {
    const head = git(dir, 'rev-parse', 'HEAD');
    git(scratch, 'read-tree', head);
    git(scratch, `--work-tree=${dir}`, 'add', '-A');
    return git(scratch, 'commit-tree', git(scratch, 'write-tree'), '-p', head, '-m', 'all');
  });
  const conflictsOf = new Map<string, RealConflicts>();
  const mergeOf = (a: string, b: string): RealMerge => {
    fs.rmSync(join(scratch, '.git/index.lock'), { force: true });
    git(scratch, 'clean', '-qfdx');
    git(scratch, 'reset', '-q', '--hard', a);
    const { status, stdout } = spawnSync('git', ['merge', '--no-stat', '--no-edit', '-m', 'm', b], {
      cwd: scratch,
      env: GIT_ENV,
      encoding: 'utf8',
    });
    if (status === null) return { is_clean: false, files: [] };
    const is_clean = status === 0;
    const listed = git(scratch, 'ls-files', '-u', '-z')
      .split('\0')
      .filter((line) => line !== '');
    // The name of a file that was put aside ends with the side it came from.
    const names = listed.map((line) =>
      line.slice(line.indexOf('\t') + 1).replace(/~(?:HEAD|[0-9a-f]{40})(?:_\d+)?$/, ''),
    );
    const files = [...new Set(names)].sort();
    if (!is_clean) conflictsOf.set(`${a} ${b}`, realConflicts(scratch, stdout, files));
    return { is_clean, files };
  };
  return { commits, mergeOf, conflictsOf, trunk: git(root, 'rev-parse', 'main') };
}
