/** guard as one file, for a machine without Node. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PACKAGE } from '../claude/driver.ts';
import { binaryHere, makeStandalone, type Standalone } from './binary.ts';

interface Settings {
  readonly hooks: Readonly<Record<string, readonly { readonly hooks: readonly { command: string }[] }[]>>;
}

describe.skipIf(!binaryHere())('the standalone binary, where there is no Node', () => {
  let guard: Standalone;
  beforeAll(() => void (guard = makeStandalone()));
  afterAll(() => guard.remove());

  const versions = (): string => join(guard.home, '.local/share/guard/versions');
  const recorded = (name: string): string =>
    readFileSync(join(PACKAGE, `test/fixtures/payloads/${name}.json`), 'utf8').replaceAll(
      '/repo',
      guard.repo,
    );
  const hookLine = (): string => {
    const settings = readFileSync(join(guard.repo, '.claude/settings.local.json'), 'utf8');
    const [first] = (JSON.parse(settings) as Settings).hooks['PreToolUse'] ?? [];
    return first?.hooks[0]?.command ?? '';
  };
  const denialOf = (event: string): string => {
    const denied = guard.shell(hookLine(), event);
    expect(denied.status, denied.stderr).toBe(2);
    return (JSON.parse(denied.stderr) as { error_type: string }).error_type;
  };

  it('says its version, and unpacks itself once', () => {
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(guard.run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    const [place = '', ...others] = readdirSync(versions());
    expect(others).toEqual([]);
    expect(place).toMatch(new RegExp(`^${version}-`));
    // An interrupted or damaged program is replaced.
    rmSync(join(versions(), place, 'bin/guard.cjs'));
    expect(guard.run(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(readdirSync(versions())).toEqual([place]);
  });

  it('sets a repository up with hooks that start it, and they deny and approve as recorded events ask', () => {
    const init = guard.run(['init']);
    expect(init.status, init.stderr).toBe(0);
    expect(hookLine()).toContain(`N=${guard.file};`);
    expect(existsSync(join(guard.repo, '.claude/settings.json'))).toBe(false);
    writeFileSync(join(guard.repo, 'a.txt'), 'as it was\n');
    const [write, edit] = [recorded('PreToolUse.Write.new'), recorded('PreToolUse.Write.existing')];
    expect(denialOf(write)).toBe('NOT_LOCKED');
    const { session_id } = JSON.parse(write) as { session_id: string };
    const mine = ['lock', 'try', 'new.txt', '--agent', `claude-${session_id}`];
    expect(guard.run(mine), 'the lock').toMatchObject({ status: 0 });
    expect(guard.shell(hookLine(), write)).toMatchObject({ status: 0 });
    expect(guard.run(['lock', 'try', 'a.txt', '--agent', 'claude-other'])).toMatchObject({ status: 0 });
    expect(denialOf(edit)).toBe('LOCKED_BY_OTHER');
    const status = guard.run(['status', '--json']);
    const { leases } = JSON.parse(status.stdout) as { leases: readonly { path: string; holder: string }[] };
    expect(leases.map(({ path, holder }) => [path, holder]).sort()).toEqual([
      ['a.txt', 'claude-other'],
      ['new.txt', `claude-${session_id}`],
    ]);
  });

  it('finds nothing wrong with its own installation', () => {
    const answer = guard.run(['doctor', '--json']);
    const { results } = JSON.parse(answer.stdout) as { results: readonly { id: string; status: string }[] };
    expect(results.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(results.find(({ id }) => id === 'live')).toMatchObject({ status: 'ok' });
  });

  it('runs modules of guard, and nobody else’s code', () => {
    const [place = ''] = readdirSync(versions());
    const module = join(versions(), place, 'dist/cli/cli.mjs');
    expect(guard.run([module, 'deadlock', '--json'])).toMatchObject({ status: 0 });
    const other = join(guard.repo, 'bin/other.cjs');
    mkdirSync(join(guard.repo, 'bin'));
    writeFileSync(other, 'console.log("ran")');
    // A project may have guard's name.
    writeFileSync(join(guard.repo, 'package.json'), '{"name":"guard"}');
    for (const words of [[other], ['-e', 'console.log("ran")'], ['--no-warnings', other]]) {
      const refused = guard.run(words);
      expect(refused, words.join(' ')).toMatchObject({ status: 64 });
      expect(refused.stdout).not.toContain('ran');
    }
    // What doctor and replay start.
    for (const code of ['', 'process.stdin.resume()'])
      expect(guard.run(['-e', code])).toMatchObject({ status: 0, stderr: '' });
  });

  it('says where it cannot unpack itself', () => {
    const line = `XDG_DATA_HOME=/dev/null/data guard status --json`;
    const { status, stdout } = guard.shell(line, '');
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'GUARD_ERR_IO', facts: { errno: 'ENOTDIR' } },
    });
  });

  it('ignores a data directory that a repository could fill', () => {
    const data = join(guard.repo, 'data');
    mkdirSync(join(data, 'guard'), { recursive: true });
    const { status } = guard.shell(`XDG_DATA_HOME=${data} guard --version`, '');
    expect(status).toBe(0);
    expect(readdirSync(join(data, 'guard'))).toEqual([]);
  });
});
