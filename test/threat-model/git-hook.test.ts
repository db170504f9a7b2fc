import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hooked, script } from '../cli/commands/git-hook.place.ts';
import { places } from '../cli/commands/place.ts';
import { put, run } from '../install/scratch.ts';

const { fresh } = places();

describe('a script commits what another agent holds', { timeout: 120_000 }, () => {
  it('is refused by git, and passes with what goes past hooks', () => {
    const { repo, env, git, guardAs } = hooked(fresh());
    put(join(repo, 'a'), 'one\n');
    git('add', 'a');
    const before = git('rev-parse', 'HEAD').stdout;
    expect(guardAs('other', 'lock', 'try', 'a').code).toBe(0);
    const start = (line: string) =>
      run(script(join(repo, 'release'), line), [], { cwd: repo, env: { ...env, GUARD_AGENT_ID: 'me' } });
    const refused = start('git commit -qm hidden');
    expect([refused.code, refused.stderr.includes('LOCKED_BY_OTHER')]).toEqual([1, true]);
    expect(git('rev-parse', 'HEAD').stdout).toBe(before);
    expect(start('git commit-tree -m hidden "$(git write-tree)"').code).toBe(0);
    expect(start('git -c core.hooksPath=/dev/null commit -qm hidden').code).toBe(0);
    put(join(repo, 'a'), 'two\n');
    expect(start('git commit --no-verify -qam hidden').code).toBe(0);
  });
});
