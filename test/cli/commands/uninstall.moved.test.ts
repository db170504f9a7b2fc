/** `guard uninstall`, as installed, in a repository that was copied, moved or linked after `guard init`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, guard, json, put, text } from '../../install/scratch.ts';
import { everything, type Place, places } from './place.ts';

const { base, fresh } = places();
const BEFORE = '{ "model":  "opus" }\n';

const copied = (from: string, to: string): string => {
  execFileSync('cp', ['-a', from, to]);
  return to;
};

/** Every file in `.claude`. */
const filesOf = ({ repo }: Place) => everything(join(repo, '.claude'));

function installed(): Place {
  const place = fresh(BEFORE);
  expect(place.run('init', '--git-hooks').code).toBe(0);
  return place;
}

describe('guard uninstall in a copy of a guarded repository', () => {
  it('leaves the original as it is, whether the copy was ever set up or not', () => {
    for (const init of [false, true]) {
      const place = installed();
      const files = filesOf(place);
      const copy = copied(place.repo, join(base, `copy ${init}`));
      if (init) expect(guard(copy, place.env, 'init').code).toBe(0);
      expect(guard(copy, place.env, 'uninstall').code).toBe(0);
      expect(text(join(copy, '.claude', 'settings.json'))).toBe(BEFORE);
      expect(filesOf(place)).toEqual(files);
      expect(existsSync(join(place.repo, '.git', 'hooks', 'pre-commit'))).toBe(true);
    }
  });

  it('leaves the original as it is when its state came over a second time', () => {
    const place = installed();
    const files = filesOf(place);
    const copy = copied(place.repo, join(base, 'synced'));
    expect(guard(copy, place.env, 'init').code).toBe(0);
    execFileSync('cp', ['-a', `${place.repo}/.`, copy]);
    expect(guard(copy, place.env, 'uninstall').code).toBe(0);
    expect(filesOf(place)).toEqual(files);
    expect(existsSync(join(place.repo, '.git', 'hooks', 'pre-commit'))).toBe(true);
    expect(everything(join(copy, '.claude'))).toEqual({ [join(copy, '.claude', 'settings.json')]: BEFORE });
  });

  it('leaves a settings file alone that both have by a link, and names it', () => {
    const place = fresh();
    const dots = put(join(base, 'dots', 'settings.json'), BEFORE);
    mkdirSync(dirname(place.file), { recursive: true });
    symlinkSync(dots, place.file);
    expect(place.run('init').code).toBe(0);
    const hooked = text(dots);
    const copy = copied(place.repo, join(base, 'linked copy'));
    const { code, stdout } = guard(copy, place.env, 'uninstall', '--json');
    expect([code, (JSON.parse(stdout) as { elsewhere: unknown }).elsewhere]).toEqual([0, [dots]]);
    expect(text(dots)).toBe(hooked);
    expect(place.run('uninstall').code).toBe(0);
    expect(text(dots)).toBe(BEFORE);
  });

  it('refuses in the copy of a linked worktree, whose git directory is the original', () => {
    const place = installed();
    const linked = join(base, 'linked');
    git(place.repo, 'worktree', 'add', '-q', linked);
    const files = filesOf(place);
    const copy = copied(linked, join(base, 'copy of linked'));
    const { code, stdout } = guard(copy, place.env, 'uninstall', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      { error: { code: 'GUARD_ERR_STATE_DIR', facts: { dir: copy, original: place.repo } } },
    ]);
    expect(filesOf(place)).toEqual(files);
    expect(guard(linked, place.env, 'uninstall').code).toBe(0);
    expect(text(place.file)).toBe(BEFORE);
  });
});

describe('guard uninstall in a repository that was moved', () => {
  it('puts every file back as it was, at the new place', () => {
    const place = installed();
    const moved = join(base, 'moved');
    renameSync(place.repo, moved);
    expect(guard(moved, place.env, 'uninstall').code).toBe(0);
    const file = join(moved, '.claude', 'settings.json');
    expect(everything(join(moved, '.claude'))).toEqual({ [file]: BEFORE });
    expect(existsSync(join(moved, '.git', 'hooks', 'pre-commit'))).toBe(false);
  });

  it('leaves another one alone that is at its old place now', () => {
    const place = installed();
    const moved = join(base, 'moved away');
    renameSync(place.repo, moved);
    git(dirname(place.repo), 'init', '-q', place.repo);
    put(place.file, '{"a": 1}\n');
    expect(place.run('init').code).toBe(0);
    const files = filesOf(place);
    expect(guard(moved, place.env, 'uninstall').code).toBe(0);
    expect(filesOf(place)).toEqual(files);
    expect(everything(join(moved, '.claude'))).toEqual({
      [join(moved, '.claude', 'settings.json')]: BEFORE,
    });
  });

  it('still does after another guard init there', () => {
    const place = installed();
    const moved = join(base, 'moved and set up');
    renameSync(place.repo, moved);
    expect(guard(moved, place.env, 'init', '--preset', 'strict').code).toBe(0);
    const book = json(join(moved, '.git', 'guard', 'undo.json')) as { files: object };
    expect(Object.keys(book.files).filter((file) => !file.startsWith(`${moved}/`))).toEqual([]);
    expect(guard(moved, place.env, 'uninstall').code).toBe(0);
    expect(text(join(moved, '.claude', 'settings.json'))).toBe(BEFORE);
    expect(existsSync(join(moved, '.claude', 'settings.json.guard-backup'))).toBe(false);
  });

  it('removes the hooks from the user’s settings if no other repository needs them', () => {
    const place = fresh();
    expect(place.run('init', '--scope', 'user').code).toBe(0);
    const moved = join(base, 'moved of user');
    renameSync(place.repo, moved);
    expect(guard(moved, place.env, 'init').code).toBe(0);
    expect(existsSync(join(moved, '.claude'))).toBe(false);
    expect(guard(moved, place.env, 'uninstall').code).toBe(0);
    expect(existsSync(join(place.home, '.claude', 'settings.json'))).toBe(false);
  });

  it('finds a linked worktree at its new place, and takes one that is gone for gone', () => {
    const place = fresh();
    const [linked, gone] = [join(base, 'before move'), join(base, 'gone')];
    for (const dir of [linked, gone]) {
      git(place.repo, 'worktree', 'add', '-q', '--detach', dir);
      put(join(dir, '.claude', 'settings.json'), BEFORE);
      expect(guard(dir, place.env, 'init').code).toBe(0);
    }
    const after = join(base, 'after move');
    git(place.repo, 'worktree', 'move', linked, after);
    rmSync(gone, { recursive: true });
    expect(place.run('uninstall').code).toBe(0);
    expect(everything(join(after, '.claude'))).toEqual({
      [join(after, '.claude', 'settings.json')]: BEFORE,
    });
    expect(existsSync(gone)).toBe(false);
  });
});
