import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchDir } from '../../install/scratch.ts';

const ROOT = join(import.meta.dirname, '../../..');
const MANY_MS = 60_000;

/** Copies this guard into a separate installation. */
function installed(): string {
  const root = join(scratchDir('guard-quick-'), 'guard');
  for (const part of ['bin', 'dist', 'fence', 'hooks', 'native', 'guard.schema.json', 'package.json'])
    cpSync(join(ROOT, part), join(root, part), {
      recursive: true,
      filter: (file) => !/\.compiled/.test(file),
    });
  return root;
}

function call(root: string, ...args: string[]) {
  const cwd = join(root, '..', 'work');
  mkdirSync(cwd, { recursive: true });
  if (!existsSync(join(cwd, '.git'))) execFileSync('git', ['init', '-q', cwd]);
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(root, '..', 'state'),
    XDG_DATA_HOME: join(root, '..', 'data'),
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/guard.cjs'), ...args], {
    ...{ cwd, env, encoding: 'utf8' as const },
  });
  return { status, stdout, stderr };
}

const compiledIn = (root: string): string[] =>
  readdirSync(join(root, 'dist'))
    .filter((name) => name.endsWith('.compiled'))
    .map((name) => /^[^.]+\.cjs[\w-]*/.exec(name)?.[0] ?? name)
    .sort();

describe('a call that agents make all day', () => {
  it(
    'leaves its compiled form once it went well, and the next one starts from it',
    { timeout: MANY_MS },
    () => {
      const root = installed();
      const failed = call(root, 'lock', 'try', 'a.txt', '--agent', 'me');
      expect([failed.status, /GUARD_ERR_\w+/.exec(failed.stderr)?.[0]]).toEqual([
        2,
        'GUARD_ERR_NOT_INITIALISED',
      ]);
      expect(compiledIn(root)).toEqual([]);
      expect(call(root, 'init').status).toBe(0);
      const first = call(root, 'lock', 'try', 'a.txt', '--agent', 'me', '--json');
      expect([first.status, first.stderr]).toEqual([0, '']);
      expect(call(root, 'lock', 'release', 'a.txt', '--agent', 'me').status).toBe(0);
      expect(compiledIn(root)).toEqual([
        'quick-lock.cjs-lock-release',
        'quick-lock.cjs-lock-try',
        'whole.cjs-init',
      ]);
      const second = call(root, 'lock', 'try', 'a.txt', '--agent', 'me', '--json');
      expect([second.status, Object.keys(JSON.parse(second.stdout) as object)]).toEqual([
        0,
        Object.keys(JSON.parse(first.stdout) as object),
      ]);
    },
  );

  it('is answered by the whole program where its file is damaged', { timeout: MANY_MS }, () => {
    const root = installed();
    const version = call(root, '--version');
    truncateSync(join(root, 'dist/quick-help.cjs'), 1_000);
    for (const name of readdirSync(join(root, 'dist')))
      if (name.endsWith('.compiled')) truncateSync(join(root, 'dist', name), 0);
    expect(call(root, '--version')).toEqual({ ...version, stderr: '' });
    expect(version.status).toBe(0);
  });

  it('is answered by modules where the file of the whole program is damaged', { timeout: MANY_MS }, () => {
    const root = installed();
    const told = call(root, 'completion', 'bash');
    expect([told.status, compiledIn(root)]).toEqual([0, ['whole.cjs-completion']]);
    truncateSync(join(root, 'dist/whole.cjs'), 1_000);
    expect(call(root, 'completion', 'bash')).toEqual(told);
  });

  it('is kept of a server while it serves, for it may be killed', { timeout: MANY_MS }, async () => {
    const root = installed();
    const cwd = join(root, '..');
    const server = spawn(process.execPath, [join(root, 'bin/guard.cjs'), 'mcp'], {
      ...{ cwd, stdio: ['pipe', 'ignore', 'inherit'] as const },
    });
    await expect.poll(() => compiledIn(root), { timeout: MANY_MS / 2 }).toEqual(['whole.cjs-mcp']);
    server.kill('SIGKILL');
  });

  it('that is not right is refused by the whole program, in its words', { timeout: MANY_MS }, () => {
    const root = installed();
    const refused = call(root, 'lock', 'try', 'a.txt', '--unknown');
    expect([refused.status, refused.stderr]).toEqual([64, expect.stringContaining('--unknown') as string]);
  });

  it('does not exit with 0 if its work never ends, whichever file it is in', { timeout: MANY_MS }, () => {
    const root = installed();
    const endless = 'await new Promise(() => undefined);';
    writeFileSync(join(root, 'dist/cli/cli.mjs'), endless);
    for (const name of ['quick-status.cjs', 'whole.cjs'])
      writeFileSync(
        join(root, 'dist', name),
        `(function (module) { module.exports = { default: async () => { ${endless} } }; })`,
      );
    expect([call(root, 'doctor').status, call(root, 'status').status]).toEqual([2, 2]);
    rmSync(join(root, 'dist/whole.cjs'));
    expect(call(root, 'doctor').status).toBe(2);
  });

  it('runs under the name of earlier versions too', { timeout: MANY_MS }, () => {
    const root = installed();
    const told = execFileSync(process.execPath, [join(root, 'bin/guard.mjs'), '--version'], {
      encoding: 'utf8',
    });
    expect(told).toBe(call(root, '--version').stdout);
  });
});
