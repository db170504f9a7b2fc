import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchList } from '../../../src/claude/watch-list.ts';
import { locateRepo } from '../../../src/repo/locate.ts';
import { guard, json, put, run, text } from '../../install/scratch.ts';
import { hooked, script } from './git-hook.place.ts';
import { everything, type Place, places } from './place.ts';

const { base, fresh } = places();

const gitIn = ({ repo, env }: Place, ...args: string[]) => run('git', args, { cwd: repo, env });
const hookOf = ({ repo }: Place): string => join(repo, '.git', 'hooks', 'pre-commit');
const modeOf = (file: string): number => lstatSync(file).mode;

interface Checked {
  readonly results: readonly { readonly id: string; readonly status: string; readonly hint: string }[];
}

const checked = ({ run: start }: Place) =>
  (JSON.parse(start('doctor', '--json').stdout) as Checked).results
    .filter(({ id }) => id === 'git_hook')
    .map(({ status, hint }) => [status, hint.includes('--git-hooks')]);

/** Contents of a hooks directory, with modes and links. */
const state = (repo: string) => everything(join(repo, '.git', 'hooks'));

describe('guard init --git-hooks', { timeout: 120_000 }, () => {
  it('shows the hook with --dry-run and changes nothing; a second time there is nothing to do', () => {
    const place = fresh();
    const before = state(place.repo);
    const shown = place.run('init', '--git-hooks', '--dry-run');
    expect([shown.code, shown.stdout.includes("+# guard's pre-commit hook")]).toEqual([0, true]);
    expect(state(place.repo)).toEqual(before);
    expect(place.run('init', '--git-hooks').code).toBe(0);
    expect(statSync(hookOf(place)).mode & 0o777).toBe(0o755);
    const after = state(place.repo);
    expect(place.run('init', '--git-hooks').stderr).toContain('Nothing to change');
    expect(place.run('init').stderr).toContain('Nothing to change');
    expect(state(place.repo)).toEqual(after);
    expect(place.run('uninstall').code).toBe(0);
    expect(state(place.repo)).toEqual(before);
  });

  it('calls the hook that was there with its exit code, and uninstall brings it back as it was', () => {
    const place = fresh();
    const hook = script(hookOf(place), 'echo "old $# $0" >&2\nexit 7');
    chmodSync(hook, 0o700);
    const before = [text(hook), modeOf(hook), lstatSync(hook).ino];
    const { git } = hooked(place);
    put(join(place.repo, 'a'), 'one\n');
    git('add', 'a');
    const refused = git('commit', '-qm', 'first');
    expect([refused.code, refused.stderr.includes('old 0 ')]).toEqual([1, true]);
    expect(run(hook, [], { cwd: place.repo, env: place.env }).code).toBe(7);
    expect(place.run('uninstall').code).toBe(0);
    expect([text(hook), modeOf(hook), lstatSync(hook).ino]).toEqual(before);
    expect(Object.keys(state(place.repo)).filter((name) => name.includes('guard-'))).toEqual([]);
  });

  it('leaves the file alone that the hook was a link to, and brings the link back', () => {
    const place = fresh();
    const target = script(join(place.repo, 'scripts', 'check'), 'echo linked >&2');
    symlinkSync('../../scripts/check', hookOf(place));
    const before = text(target);
    const { git } = hooked(place);
    put(join(place.repo, 'a'), 'one\n');
    git('add', 'a');
    expect(git('commit', '-qm', 'first').stderr).toContain('linked');
    expect(text(target)).toBe(before);
    place.run('uninstall');
    expect([readlinkSync(hookOf(place)), text(target)]).toEqual(['../../scripts/check', before]);
  });

  it('does not call a hook that was not executable, as git did not', () => {
    const place = fresh();
    chmodSync(script(hookOf(place), 'exit 1'), 0o644);
    const { git } = hooked(place);
    put(join(place.repo, 'a'), 'one\n');
    git('add', 'a');
    expect(git('commit', '-qm', 'first').code).toBe(0);
    place.run('uninstall');
    expect(modeOf(hookOf(place)) & 0o777).toBe(0o644);
  });

  it.each([
    ['a directory of the project', '.githooks', '.githooks/pre-commit'],
    ['husky', '.husky/_', '.husky/pre-commit'],
    ['nowhere', '/dev/null', '/dev/null/pre-commit'],
  ])('writes nothing where git looks in %s, and says which line to add', (_, dir, named) => {
    const place = fresh();
    gitIn(place, 'config', 'core.hooksPath', dir);
    const before = everything(place.repo);
    const refused = place.run('init', '--git-hooks');
    expect([refused.code, refused.stderr.includes('GUARD_ERR_SETTINGS')]).toEqual([2, true]);
    expect(refused.stderr).toContain(`${named} (make it executable)`);
    expect(everything(place.repo)).toEqual(before);
    expect(place.run('init').code).toBe(0);
  });

  it('is content with a hook elsewhere that has the line, and the line works', () => {
    const place = fresh();
    gitIn(place, 'config', 'core.hooksPath', '.githooks');
    const [, line = ''] =
      /Add this line to .*?: (if .*)$/m.exec(place.run('init', '--git-hooks').stderr) ?? [];
    expect(line).not.toBe('');
    const hook = script(join(place.repo, '.githooks', 'pre-commit'), line);
    const { git, as, guardAs } = hooked(place);
    expect(text(hook)).toContain(line);
    put(join(place.repo, 'a'), 'one\n');
    git('add', 'a');
    guardAs('other', 'lock', 'try', 'a');
    expect([as('me', 'commit', '-qm', 'x').code, as('other', 'commit', '-qm', 'x').code]).toEqual([1, 0]);
    expect(checked(place)).toEqual([['ok', false]]);
  });

  it('refuses to rename a hook that asks for its own name', () => {
    const place = fresh();
    const hook = script(hookOf(place), 'exec tools/$(basename "$0")');
    const before = everything(place.repo);
    const refused = place.run('init', '--git-hooks');
    expect([refused.code, refused.stderr.includes('git-hook pre-commit')]).toEqual([2, true]);
    expect(everything(place.repo)).toEqual(before);
    expect(text(hook)).toContain('basename');
  });

  it('chains once where a framework moved it aside and calls it', () => {
    const place = fresh();
    script(hookOf(place), 'echo first >&2');
    const { git, guardAs, as, hook, next } = hooked(place);
    renameSync(hook, `${hook}.legacy`);
    script(
      hook,
      '# File generated by pre-commit: https://pre-commit.com\n"$0.legacy" || exit 1\necho frame >&2',
    );
    expect(place.run('init', '--git-hooks').code).toBe(0);
    expect(checked(place)).toEqual([['ok', false]]);
    put(join(place.repo, 'a'), 'one\n');
    guardAs('other', 'lock', 'try', 'a');
    git('add', 'a');
    expect(as('me', 'commit', '-qm', 'x').code).toBe(1);
    expect(as('other', 'commit', '-qm', 'x').stderr.match(/first|frame/g)).toEqual(['first', 'frame']);
    place.run('uninstall');
    expect([text(`${hook}.legacy`).includes('first'), text(hook).includes('frame')]).toEqual([true, true]);
    expect(lstatSync(next, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('belongs to the repository, so worktrees have it too, in every scope', () => {
    const place = fresh();
    const { git, repo, env, guardAs } = hooked(place, '--scope', 'user');
    put(join(repo, 'a'), 'one\n');
    git('add', 'a');
    git('commit', '-qm', 'first');
    const tree = `${repo} tree`;
    git('worktree', 'add', '-q', '--detach', tree);
    put(join(tree, 'a'), 'two\n');
    guardAs('other', 'lock', 'try', join(tree, 'a'));
    expect(run('git', ['commit', '-qam', 'x'], { cwd: tree, env }).code).toBe(1);
    const undo = json(join(place.state, 'undo.json')) as { files: Record<string, unknown> };
    expect(Object.keys(undo.files)).toEqual([hookOf(place)]);
    expect(guard(tree, env, 'init', '--git-hooks').stderr).toContain('Nothing to change');
    expect(place.run('uninstall').code).toBe(0);
    expect(lstatSync(hookOf(place), { throwIfNoEntry: false })).toBeUndefined();
  });

  it('needs git', () => {
    const dir = join(base, 'plain');
    mkdirSync(dir);
    const { env } = fresh();
    expect(guard(dir, env, 'init', '--git-hooks').stderr).toContain('GUARD_ERR_SETTINGS');
  });

  it('is finished by a second run where the first one was killed between its two steps', () => {
    const place = fresh();
    script(hookOf(place), 'echo old >&2');
    const before = text(hookOf(place));
    put(`${hookOf(place)}.guard-next`, before);
    chmodSync(`${hookOf(place)}.guard-next`, 0o755);
    hooked(place);
    place.run('uninstall');
    expect(text(hookOf(place))).toBe(before);
  });
});

describe('guard doctor on the pre-commit hook', { timeout: 120_000 }, () => {
  it('is silent if none was requested', () => {
    const place = fresh();
    place.run('init');
    script(hookOf(place), 'true');
    expect(checked(place)).toEqual([]);
  });

  it('names what is wrong with it, and init repairs it', () => {
    const place = fresh();
    const { hook, next, git } = hooked(place);
    expect(checked(place)).toEqual([['ok', false]]);
    chmodSync(hook, 0o644);
    expect(checked(place)).toEqual([['fail', true]]);
    place.run('init', '--git-hooks');
    expect(checked(place)).toEqual([['ok', false]]);
    rmSync(hook);
    expect(checked(place)).toEqual([['fail', true]]);
    place.run('init', '--git-hooks');
    put(hook, text(hook).replace('exit 1', 'exit 0'));
    expect(checked(place)).toEqual([['warn', true]]);
    place.run('init', '--git-hooks');
    expect(checked(place)).toEqual([['ok', false]]);
    rmSync(hook);
    script(hook, 'echo mine');
    expect(checked(place)).toEqual([['fail', true]]);
    place.run('init', '--git-hooks');
    expect([checked(place), text(next).includes('mine')]).toEqual([[['ok', false]], true]);
    git('config', 'core.hooksPath', '.githooks');
    expect(checked(place)).toEqual([['fail', true]]);
  });
});

describe('the watch over .git/hooks', { timeout: 120_000 }, () => {
  it('ignores its installation and removal, and reports any other hook', () => {
    const place = fresh();
    script(hookOf(place), 'true');
    const seen = () => {
      const dir = join(place.repo, '.git', 'hooks');
      return watchList(locateRepo(place.repo, place.env), place.env)
        .find(({ file }) => file === dir)
        ?.concern(dir).own;
    };
    const before = seen();
    hooked(place);
    expect(seen()).toEqual(before);
    place.run('uninstall');
    expect(seen()).toEqual(before);
    script(join(place.repo, '.git', 'hooks', 'post-checkout'), 'true');
    expect(seen()).toEqual([...(before ?? []), 'post-checkout'].sort());
  });
});
