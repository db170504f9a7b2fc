/** The steps of action.yml, run by bash as GitHub runs them, in a clone with the files that a team commits. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { places } from '../cli/commands/place.ts';
import { PACKAGE, put, run } from '../install/scratch.ts';

const { fresh } = places();
const ACTION = readFileSync(join(PACKAGE, 'action.yml'), 'utf8');

/** The script block of the step with this name. */
function stepOf(name: string): string {
  const [, step = ''] = ACTION.split(`- name: ${name}\n`);
  const [, block] = / {6}run: \|\n((?: {8}.*\n)+)/.exec(step.split('- name:')[0] ?? '') ?? [];
  if (block === undefined) throw new Error(`no script in ${name}`);
  return block.replaceAll(/^ {8}/gm, '');
}

/** A repository that a team guards, cloned on a machine where guard never ran. */
function cloned(change: (repo: string) => void = () => undefined) {
  const place = fresh();
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: place.repo,
      env: place.env,
    });
  put(join(place.repo, 'a.txt'), 'one\n');
  expect(place.run('init').code).toBe(0);
  change(place.repo);
  git('add', 'a.txt', '.claude/settings.json', '.claude/guard-hook.cjs');
  git('commit', '-qm', 'guarded');
  const clone = join(place.home, 'clone');
  git('clone', '-q', place.repo, clone);
  return { ...place, clone };
}

function runStep(name: string, at: ReturnType<typeof cloned>, more: Readonly<Record<string, string>> = {}) {
  const env = {
    ...at.env,
    XDG_STATE_HOME: join(at.home, 'state-of-ci'),
    GITHUB_ACTION_PATH: PACKAGE,
    ...more,
  };
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', stepOf(name)], {
    ...{ cwd: at.clone, env, encoding: 'utf8' },
  });
}

describe('the action', { timeout: 120_000 }, () => {
  it('passes if the committed hooks are the ones guard writes, and leaves them alone', () => {
    const at = cloned();
    const done = runStep('guard doctor', at);
    expect([done.status, done.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  });

  it('fails if they differ, and names the command that repairs them', () => {
    const at = cloned((repo) => {
      const file = join(repo, '.claude/settings.json');
      const { hooks, ...others } = JSON.parse(readFileSync(file, 'utf8')) as { hooks: object };
      put(file, JSON.stringify({ ...others, hooks: { ...hooks, PreToolUse: [] } }));
    });
    const done = runStep('guard doctor', at);
    expect(done.status).toBe(1);
    expect(done.stdout).toContain('::error::The committed hooks differ');
  });

  it('replays the requested recordings, and fails if there are none', () => {
    const at = cloned();
    const recorded = join(PACKAGE, 'test/replay/sessions/changed-between-turns.jsonl');
    expect(runStep('guard replay', at, { RECORDINGS: 'nowhere', PRESET: '' }).status).toBe(2);
    expect(runStep('guard replay', at, { RECORDINGS: recorded, PRESET: '' }).status).toBe(0);
  });
});
