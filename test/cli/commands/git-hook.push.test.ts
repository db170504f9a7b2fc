/** The pre-push hook of `guard init --push-hook`. What it refuses is in test/workspace/lease-cache.test.ts. */
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, text } from '../../install/scratch.ts';
import { script } from './git-hook.place.ts';
import { everything, type Place, places } from './place.ts';

const { fresh } = places();

const gitIn = ({ repo, env }: Place, ...args: string[]) => run('git', args, { cwd: repo, env });

interface Checked {
  readonly results: readonly { readonly id: string; readonly status: string; readonly hint: string }[];
}

const checked = ({ run: start }: Place) =>
  (JSON.parse(start('doctor', '--json').stdout) as Checked).results
    .filter(({ id }) => id === 'push_hook' || id === 'git_hook')
    .map(({ id, status, hint }) => [id, status, hint.includes('--push-hook')]);

describe('guard init --push-hook', { timeout: 120_000 }, () => {
  it('calls the hook that was there with its arguments and input, and uninstall brings it back', () => {
    const place = fresh();
    const { repo } = place;
    const hook = script(join(repo, '.git', 'hooks', 'pre-push'), 'echo "old $1 $(cut -d" " -f3)" >&2');
    const before = everything(join(repo, '.git', 'hooks'));
    expect(place.run('init', '--push-hook').code).toBe(0);
    expect([text(hook).includes("# guard's pre-push hook"), statSync(hook).mode & 0o777]).toEqual([
      true,
      0o755,
    ]);
    expect(place.run('init', '--push-hook').stderr).toContain('Nothing to change');
    expect(checked(place)).toEqual([['push_hook', 'ok', false]]);
    gitIn(place, 'init', '-q', '--bare', `${repo}.far`);
    gitIn(place, '-c', 'user.name=x', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
    const pushed = gitIn(place, 'push', '-q', `${repo}.far`, 'HEAD:refs/heads/new');
    expect([pushed.code, pushed.stderr]).toEqual([0, `old ${repo}.far refs/heads/new\n`]);
    chmodSync(hook, 0o644);
    expect(checked(place)).toEqual([['push_hook', 'fail', true]]);
    expect(place.run('uninstall').code).toBe(0);
    expect(everything(join(repo, '.git', 'hooks'))).toEqual(before);
  });

  it('says which line to add to a hook that is not its own to change', () => {
    const place = fresh();
    gitIn(place, 'config', 'core.hooksPath', '.husky/_');
    const refused = place.run('init', '--push-hook');
    expect([refused.code, refused.stderr.includes('.husky/pre-push (make it executable)')]).toEqual([
      2,
      true,
    ]);
    expect(refused.stderr).toMatch(/git-hook pre-push <\/dev\/null >\/dev\/null \|\| exit 1/);
  });
});
