import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_NAME } from '../src/install/package-name.ts';
import {
  copyOfCheckout,
  denialIn,
  home,
  installOf,
  newerOf,
  npm,
  packed,
  type Packed,
  packedFrom,
  prefix,
  project,
  QUIET,
  repository,
  root,
  ROOT,
  run,
} from './packed.ts';

/** What users get: the packed tarball, installed the way they install it. */
let pack: Packed = { file: '', files: [] };
let told = '';

beforeAll(() => {
  for (const dir of [packed, project, prefix, home]) mkdirSync(dir);
  const copy = copyOfCheckout();
  const manifest = readFileSync(join(copy, 'package.json'), 'utf8');
  pack = packedFrom(copy);
  // Restored, byte for byte.
  expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(manifest);
  writeFileSync(join(project, 'package.json'), '{"private":true}\n');
  // Offline, because a package without dependencies needs no registry. With scripts, and with npm's warnings.
  const install = npm(['install', '--offline', '--no-audit', '--no-fund', pack.file], project);
  expect(install.status, install.stderr).toBe(0);
  told = install.stderr;
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the tarball', () => {
  test('holds the programs, the hooks, the plugin, the schema and the documents', () => {
    for (const path of [
      'bin/guard.cjs',
      'dist/hook.cjs',
      'dist/cli/cli.mjs',
      'dist/whole.cjs',
      'hooks/guard-hook.cjs',
      'hooks/hooks.json',
      'hooks/recent.json',
      'native/guard.c',
      'native/guard-linux-x64.node',
      'native/guard-linux-arm64.node',
      '.claude-plugin/plugin.json',
      'settings.example.json',
      'guard.schema.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'docs/troubleshooting.md',
    ]) {
      expect(pack.files).toContain(path);
    }
    expect(pack.files.filter((path) => path.startsWith('dist/on-use/')).length).toBeGreaterThan(0);
  });

  test('holds the licence of every package that is bundled into it, none of which asks for more', () => {
    const text = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY.txt'), 'utf8');
    expect(pack.files).toContain('dist/THIRD-PARTY.txt');
    const bundled = [...text.matchAll(/^(\S+) [\d.]+ \((.+)\)\n\n(.+)$/gm)];
    const names = bundled.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['@modelcontextprotocol/sdk', 'commander', 'hono', 'zod']));
    expect(
      bundled.filter(([, , licence]) => !/^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0)$/.test(licence ?? '')),
    ).toEqual([]);
    expect(text.match(/copyright/gi)?.length).toBeGreaterThanOrEqual(names.length);
  });

  test('holds nothing that only developers need', () => {
    expect(
      pack.files.filter((path) =>
        /^(?:src|test|scripts|\.github|\.ci)\/|\.map$|\.ts$|^node_modules\//.test(path),
      ),
    ).toEqual([]);
  });

  test('says the version that package.json says', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(run(process.execPath, [join(ROOT, 'bin/guard.cjs'), '--version'], home).stdout.trim()).toBe(
      version,
    );
  });
});

describe('the package, installed', () => {
  test('has no dependencies and no scripts, and npm warns of nothing', () => {
    const manifest = JSON.parse(
      readFileSync(join(project, 'node_modules/guard/package.json'), 'utf8'),
    ) as Readonly<Record<string, unknown>>;
    expect(Object.keys(manifest).filter((key) => /scripts|ependencies/.test(key))).toEqual([]);
    expect(manifest).toMatchObject({ name: PACKAGE_NAME, private: true, bin: { guard: 'bin/guard.cjs' } });
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'guard',
    ]);
    expect(told).not.toMatch(/script/i);
  });

  test('takes file locks without a program or a compiler', () => {
    const answer = JSON.parse(run(guardIn(project), ['doctor', '--json'], project).stdout) as {
      results: readonly Finding[];
    };
    const provider = process.platform === 'linux' ? 'native' : 'exlock';
    expect(answer.results.find(({ id }) => id === 'flock')).toMatchObject({
      status: 'ok',
      facts: { provider },
    });
    expect(answer.results.find(({ id }) => id === 'native')).toMatchObject({ status: 'ok' });
  });

  test('answers to npx', () => {
    expect(npm(['exec', '--offline', '--', 'guard', '--version'], project).stdout.trim()).toMatch(
      /^\d+\.\d+\.\d+$/,
    );
  });

  test.each(['project', 'local', 'user'])(
    'guards on when the project that held it is gone (scope %s)',
    (scope) => {
      const repo = repository(`gone-${scope}`);
      expect(run(guardIn(project), ['init', '--scope', scope], repo)).toMatchObject({ status: 0 });
      expect(installOf(repo).guard_root).toBe(programs());
      renameSync(join(project, 'node_modules'), join(project, 'moved'));
      try {
        expect(denialIn(repo, scope)).toBe('NOT_LOCKED');
      } finally {
        renameSync(join(project, 'moved'), join(project, 'node_modules'));
      }
      expect(run(guardIn(project), ['uninstall'], repo)).toMatchObject({ status: 0 });
    },
  );
});

describe('a guard that npx runs from its cache', () => {
  test('guards on when the cache is cleared, and its agents have a command', () => {
    const repo = repository('npx');
    const cache = join(root, 'npx-cache');
    const inCache = { npm_config_cache: cache, HOME: home, CLAUDE_PROJECT_DIR: repo };
    const init = npm(
      ['exec', '--offline', '--yes', `--package=${pack.file}`, '--', 'guard', 'init'],
      repo,
      inCache,
    );
    expect(init.status, init.stderr).toBe(0);
    expect(init.stderr).not.toContain('npm link');
    expect(existsSync(join(cache, '_npx'))).toBe(true);
    rmSync(cache, { recursive: true });
    expect(denialIn(repo, 'project')).toBe('NOT_LOCKED');
    const { command = '' } = installOf(repo);
    expect(command).toBe(`node ${join(programs(), 'bin/guard.cjs')}`);
    expect(run('/bin/sh', ['-c', `${command} lock try a.txt --agent claude-package-test`], repo).status).toBe(
      0,
    );
    expect(run('/bin/sh', ['-c', `${command} doctor`], repo).stdout).not.toContain('npm link');
  });
});

describe('a global install', () => {
  test('is followed when it is upgraded, and guards on when it is removed', { timeout: 180_000 }, () => {
    const repo = repository('global');
    const global = join(root, 'global');
    const env = { npm_config_prefix: global };
    const install = (file: string) => npm(['install', '-g', '--offline', ...QUIET, file], root, env).status;
    const program = join(global, 'bin/guard');
    expect(install(pack.file)).toBe(0);
    expect(run(program, ['init', '--scope', 'local'], repo)).toMatchObject({ status: 0 });
    const before = current();
    expect(install(newerOf(pack, '0.1.1'))).toBe(0);
    expect(run(program, ['status'], repo)).toMatchObject({ status: 0 });
    expect([before, current()].map((dir) => dir.replace(/-[0-9a-f]{12}$/, ''))).toEqual(['0.1.0', '0.1.1']);
    // The project still has the older version, which must not move anything back.
    const older = run(guardIn(project), ['init', '--scope', 'local'], repo);
    expect(older).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/guard 0\.1\.1 in .* stays in use/) as string,
    });
    expect(current()).toMatch(/^0\.1\.1-/);
    expect(npm(['uninstall', '-g', ...QUIET, 'guard'], root, env).status).toBe(0);
    expect(existsSync(program)).toBe(false);
    expect(denialIn(repo, 'local')).toBe('NOT_LOCKED');
  });
});

describe('the checkout', () => {
  test('answers to npx', () => {
    expect(npm(['exec', '--offline', '--', 'guard', '--version'], ROOT).stdout.trim()).toMatch(
      /^\d+\.\d+\.\d+$/,
    );
  });

  test('becomes a command with npm link', () => {
    const link = npm(['link', ...QUIET, '--ignore-scripts'], ROOT, { npm_config_prefix: prefix });
    expect(link.status, link.stderr).toBe(0);
    const bin = join(prefix, 'bin/guard');
    expect(realpathSync(bin)).toBe(realpathSync(join(ROOT, 'bin/guard.cjs')));
    expect(run(bin, ['--version'], home)).toMatchObject({ status: 0 });
  });

  test('says how to build it where it is not built', () => {
    const bare = join(root, 'bare');
    mkdirSync(join(bare, 'bin'), { recursive: true });
    writeFileSync(join(bare, 'bin/guard.cjs'), readFileSync(join(ROOT, 'bin/guard.cjs')));
    const answer = run(process.execPath, [join(bare, 'bin/guard.cjs'), 'status'], home);
    expect(answer.status).toBe(2);
    expect(answer.stderr).toContain(`run "npm run build" in ${bare}`);
    expect(existsSync(join(bare, 'dist'))).toBe(false);
  });
});

interface Finding {
  readonly id: string;
  readonly status: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const guardIn = (dir: string): string => join(dir, 'node_modules/.bin/guard');

const programs = (): string =>
  join(home, process.platform === 'darwin' ? 'Library/Application Support/guard' : '.local/share/guard');
const current = (): string =>
  (JSON.parse(readFileSync(join(programs(), 'current.json'), 'utf8')) as { dir: string }).dir;
