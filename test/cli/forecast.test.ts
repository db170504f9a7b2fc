/** `guard forecast` as a command, in repositories with worktrees. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { guard, plainEnv, PROGRAM, put, scratchDir, text } from '../install/scratch.ts';
import { until } from '../warm/stage.ts';
import { editLine, git, newRepository, newWorktree } from '../forecast/repositories.ts';

interface Told {
  readonly checkouts: readonly Readonly<Record<string, unknown>>[];
  readonly trunk: readonly { readonly id: string; readonly files: readonly string[] }[];
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly files: readonly string[] }[];
  readonly order: unknown;
  readonly notes: readonly string[];
  readonly runs?: unknown;
}

function place(is_guarded = true) {
  const base = scratchDir('guard-forecast-');
  const root = newRepository(join(base, 'repo'));
  fs.mkdirSync(join(base, 'home'));
  const env = plainEnv(join(base, 'home'));
  const run = (cwd: string, ...args: string[]) => guard(cwd, env, 'forecast', ...args);
  if (is_guarded) {
    expect(guard(root, env, 'init').code).toBe(0);
    git(root, 'add', '-A');
    git(root, 'commit', '-qm', 'guarded');
  }
  const told = (...args: string[]): Told => JSON.parse(run(root, '--json', ...args).stdout) as Told;
  return { base, root, env, run, told };
}

describe('guard forecast', () => {
  it('--json has every checkout by the name that git has for it, and what conflicts, uncommitted and untracked', () => {
    const { root, told, run } = place();
    const [one, two] = [newWorktree(root, 'one'), newWorktree(root, 'main')];
    editLine(join(one, 'a.txt'), 3, 'by one');
    editLine(join(two, 'a.txt'), 3, 'by the other');
    put(join(one, 'new.txt'), '1\n');
    put(join(two, 'new.txt'), '2\n');
    const answer = told();
    expect(answer.checkouts).toMatchObject([
      { id: 'main', path: root, branch: 'main' },
      { id: 'main@worktree', path: two, branch: 'b-main' },
      { id: 'one', path: one, branch: 'b-one' },
    ]);
    expect(answer.trunk).toEqual([]);
    expect(answer.pairs).toMatchObject([
      {
        ...{ a: 'main@worktree', b: 'one', files: ['a.txt', 'new.txt'], of_trunk: false },
        conflicts: [
          { path: 'a.txt', kind: 'contents', a: [[4, 4]], b: [[4, 4]] },
          { path: 'new.txt', kind: 'contents', a: [[1, 1]], b: [[1, 1]] },
        ],
      },
    ]);
    expect(run(one).code).toBe(1);
  });

  it('tells apart what conflicts with the trunk, and that the others do so with a checkout that has nothing new', () => {
    const { root, told, run } = place();
    const late = newWorktree(root, 'late');
    editLine(join(late, 'd/b.txt'), 0, 'late');
    editLine(join(root, 'd/b.txt'), 0, 'on the trunk');
    git(root, 'add', 'd');
    git(root, 'commit', '-qm', 'on');
    const answer = told();
    expect(answer.trunk).toMatchObject([{ id: 'late', files: ['d/b.txt'] }]);
    expect(answer.pairs).toMatchObject([{ a: 'main', b: 'late', files: ['d/b.txt'], of_trunk: true }]);
    expect(run(root).stdout).not.toContain('With each other');
  });

  it('needs no guard init, and keeps nothing then', () => {
    const { root, run } = place(false);
    const one = newWorktree(root, 'one');
    editLine(join(one, 'a.txt'), 3, 'by one');
    expect([run(one).code, fs.existsSync(join(root, '.git/guard'))]).toEqual([0, false]);
  });

  it('is refused where there is no repository', () => {
    const base = scratchDir('guard-forecast-');
    const { code, stderr } = guard(base, plainEnv(base), 'forecast');
    expect([code, stderr.includes('GUARD_ERR_GIT')]).toEqual([2, true]);
  });

  it('refuses a trunk that is no commit', () => {
    const { root, run } = place();
    const { code, stderr } = run(root, '--trunk', 'nowhere');
    expect([code, stderr.includes('GUARD_ERR_INPUT')]).toEqual([2, true]);
  });

  it('--run lets other forecasts work while its command runs', () => {
    const { root, base, told } = place();
    put(join(newWorktree(root, 'one'), 'one.txt'), 'one');
    const file = join(base, 'seen');
    const again = `'${process.execPath}' '${PROGRAM}' forecast --json > '${file}'`;
    expect(told('--run', `cd "$GUARD_FORECAST_ROOT" && ${again}`).runs).toMatchObject([{ exit_code: 0 }]);
    expect(JSON.parse(text(file))).toMatchObject({ checkouts: [{ id: 'main' }, { id: 'one' }] });
  });

  it('--run runs on everything that merges, outside of every repository', () => {
    const { root, base, told } = place();
    for (const name of ['one', 'two']) put(join(newWorktree(root, name), `${name}.txt`), name);
    const file = join(base, 'seen');
    const answer = told('--run', `ls > '${file}'; git rev-parse 2>>'${file}'; exit 7`);
    expect(answer.runs).toEqual([{ of: ['one', 'two'], left_out: [], exit_code: 7 }]);
    expect(text(file)).toMatch(/one\.txt\ntwo\.txt\nfatal: not a git repository/);
    expect(fs.readdirSync(join(root, '..', 'one of repo')).length).toBe(1);
  });

  it('--each-pair runs on every two that merge clean as well, and on no others', () => {
    const { told } = place();
    const { root, told: toldOf } = place();
    expect(told('--run', 'true', '--each-pair').runs).toEqual([{ of: [], left_out: [], exit_code: 0 }]);
    for (const name of ['one', 'two', 'three']) put(join(newWorktree(root, name), `${name}.txt`), name);
    const four = newWorktree(root, 'four');
    put(join(four, 'one.txt'), 'four');
    // Each worktree passes alone; `two` and `three` fail together.
    const { runs, order } = toldOf('--run', '! { test -e two.txt && test -e three.txt; }', '--each-pair') as {
      runs: { of: string[]; exit_code: number }[];
      order: { first: string[] };
    };
    const twos = runs.slice(1).map(({ of, exit_code }) => [[...of].sort().join(), exit_code]);
    expect(order.first.length).toBe(3);
    expect(runs[0]).toMatchObject({ of: order.first, exit_code: 1 });
    expect(twos.length).toBe(3);
    expect(twos.filter(([, code]) => code === 1)).toEqual([['three,two', 1]]);
  });

  it(
    '--run ends with Ctrl-C: no other two are tried, and nothing is left behind',
    { timeout: 60_000 },
    async () => {
      const { root, base, env } = place();
      for (const name of ['one', 'two', 'three']) put(join(newWorktree(root, name), `${name}.txt`), name);
      const TMPDIR = join(base, 'tmp');
      fs.mkdirSync(TMPDIR);
      const [begun, ended] = [join(base, 'begun'), join(base, 'ended')];
      const args = [
        PROGRAM,
        'forecast',
        '--each-pair',
        '--run',
        `echo $$ >> '${begun}'; sleep 5; : > '${ended}'`,
      ];
      const child = spawn(process.execPath, args, { cwd: root, env: { ...env, TMPDIR }, stdio: 'ignore' });
      const gone = new Promise<unknown>((resolve) => child.on('close', resolve));
      await until(() => fs.existsSync(begun));
      child.kill('SIGINT');
      expect(await gone).not.toBe(0);
      expect(text(begun).trim().split('\n').length).toBe(1);
      expect(fs.readdirSync(TMPDIR)).toEqual([]);
      expect(fs.existsSync(ended)).toBe(false);
    },
  );

  it(
    '--watch prints again what has changed, and ends with how it last went',
    { timeout: 60_000 },
    async () => {
      const { root, env } = place();
      const [one, two] = [newWorktree(root, 'one'), newWorktree(root, 'two')];
      editLine(join(one, 'a.txt'), 3, 'by one');
      const child = spawn(process.execPath, [PROGRAM, 'forecast', '--watch', '--json'], {
        ...{ cwd: root, env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const gone = new Promise<unknown>((resolve) => child.on('close', resolve));
      const files = (): string[][] =>
        said
          .split('\n')
          .slice(0, -1)
          .map((line) => (JSON.parse(line) as Told).pairs.flatMap((pair) => pair.files));
      await until(() => files().length === 1);
      editLine(join(two, 'a.txt'), 3, 'by two');
      await until(() => files().length > 1);
      child.kill('SIGINT');
      expect(await gone).toBe(1);
      expect([files()[0], files().at(-1)]).toEqual([[], ['a.txt']]);
    },
  );

  it('shows what is hidden in the name of a worktree', () => {
    const { root, run } = place();
    const late = newWorktree(root, 'late');
    editLine(join(late, 'd/b.txt'), 0, 'late');
    editLine(join(root, 'd/b.txt'), 0, 'on the trunk');
    git(root, 'commit', '-qm', 'on', 'd');
    const [from, to] = ['late', 'la\u001b[31mte'].map((name) => join(root, '.git/worktrees', name));
    fs.renameSync(from ?? '', to ?? '');
    fs.writeFileSync(join(late, '.git'), `gitdir: ${to ?? ''}\n`);
    const { stdout } = run(root);
    expect(stdout).toContain('la\\x1b[31mte');
    expect(stdout).not.toContain('\u001b[31mte');
  });

  it('fits 80 columns, however long the names are', () => {
    const { root, run } = place();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const dir = newWorktree(root, `${name}-${'long'.repeat(12)}`);
      put(join(dir, `${'deep/'.repeat(20)}file.txt`), name);
      editLine(join(dir, 'a.txt'), 1, name);
    }
    const { stdout } = run(root);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toContain('a.txt 2 / 2');
  });
});
