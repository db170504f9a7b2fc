import { execFileSync, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What people get: the packed tarball, installed where no script may run. */
const ROOT = resolve(import.meta.dirname, '..');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-package-')));
const [packed, project, prefix, home] = ['packed', 'project', 'prefix', 'home'].map((name) =>
  join(root, name),
) as [string, string, string, string];
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
/** Not there, or not reachable: says nothing about the package. */
const OFFLINE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|E5\d\d|ENOTCACHED|FETCH_ERROR)\b/;

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

function cleanEnv(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH = '', NODE_EXTRA_CA_CERTS, HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = process.env;
  const config = Object.entries(process.env).filter(([name]) =>
    /^npm_config_(?:registry|userconfig|cafile)$/i.test(name),
  );
  const net = { NODE_EXTRA_CA_CERTS, HTTPS_PROXY, HTTP_PROXY, NO_PROXY };
  return {
    ...Object.fromEntries(config),
    ...net,
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    HOME: home,
    ...more,
  };
}

/** npm keeps its own settings and cache; what guard does runs in a scratch home. */
const npm = (
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> =>
  spawnSync('npm', [...args], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: cleanEnv({ HOME: process.env['HOME'] ?? home, ...more }),
  });

const run = (program: string, args: readonly string[], cwd: string, input = ''): SpawnSyncReturns<string> =>
  spawnSync(program, [...args], {
    cwd,
    encoding: 'utf8',
    timeout: 30_000,
    input,
    env: cleanEnv({ CLAUDE_PROJECT_DIR: cwd }),
  });

let pack: Packed | undefined;
let installed: 'installed' | 'offline' | undefined;

beforeAll(() => {
  for (const dir of [packed, project, prefix, home]) mkdirSync(dir);
  const done = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', packed], ROOT);
  expect(done.stderr.includes('ERR!'), done.stderr).toBe(false);
  pack = (JSON.parse(done.stdout) as Packed[])[0];
  writeFileSync(join(project, 'package.json'), '{"private":true}\n');
  const install = npm(['install', ...QUIET, join(packed, pack?.filename ?? '')], project);
  if (install.status === 0) installed = 'installed';
  else if (OFFLINE.test(install.stderr)) installed = 'offline';
  else throw new Error(install.stderr);
  if (installed === 'offline')
    process.stderr.write(
      `\n!!! SKIPPED: the installed package. npm could not fetch its one dependency:\n${install.stderr}\n`,
    );
}, 120_000);

afterAll(() => rmSync(root, { recursive: true, force: true }));

const files = (): readonly string[] => (pack?.files ?? []).map(({ path }) => path);

describe('the tarball', () => {
  test('holds the programs, the hooks, the plugin, the schema and the documents', () => {
    for (const path of [
      'bin/guard.mjs',
      'dist/hook.cjs',
      'dist/cli/cli.mjs',
      'hooks/guard-hook.cjs',
      'hooks/hooks.json',
      '.claude-plugin/plugin.json',
      'settings.example.json',
      'guard.schema.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
      'docs/troubleshooting.md',
    ]) {
      expect(files()).toContain(path);
    }
    expect(files().filter((path) => path.startsWith('dist/on-use/')).length).toBeGreaterThan(0);
  });

  test('holds the licence of every package that is bundled into it, none of which asks for more', () => {
    const text = readFileSync(join(ROOT, 'dist', 'THIRD-PARTY.txt'), 'utf8');
    expect(files()).toContain('dist/THIRD-PARTY.txt');
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
      files().filter((path) =>
        /^(?:src|test|scripts|\.github|\.ci)\/|\.map$|\.ts$|^node_modules\//.test(path),
      ),
    ).toEqual([]);
  });

  test('says the version that package.json says', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(run(process.execPath, [join(ROOT, 'bin/guard.mjs'), '--version'], home).stdout.trim()).toBe(
      version,
    );
  });
});

describe('the package, installed with scripts off', () => {
  test('has one dependency of its own, and takes file locks with it', (context) => {
    if (installed === 'offline') context.skip('the registry is not reachable');
    const { dependencies } = JSON.parse(
      readFileSync(join(project, 'node_modules/guard/package.json'), 'utf8'),
    ) as {
      dependencies: Readonly<Record<string, string>>;
    };
    expect(Object.keys(dependencies)).toEqual(['fs-ext']);
    const answer = JSON.parse(run(guardIn(project), ['doctor', '--json'], project).stdout) as {
      results: readonly Finding[];
    };
    expect(answer.results.find(({ id }) => id === 'flock')).toMatchObject({
      status: 'ok',
      facts: { provider: providerHere() },
    });
  });

  test('answers to npx', (context) => {
    if (installed === 'offline') context.skip('the registry is not reachable');
    expect(npm(['exec', '--offline', '--', 'guard', '--version'], project).stdout.trim()).toMatch(
      /^\d+\.\d+\.\d+$/,
    );
  });

  test('guards a repository: an unlocked write is denied through the hook that init installed', (context) => {
    if (installed === 'offline') context.skip('the registry is not reachable');
    const repo = join(root, 'repo');
    mkdirSync(repo);
    execFileSync('git', ['init', '--quiet'], { cwd: repo });
    expect(run(guardIn(project), ['init'], repo)).toMatchObject({ status: 0 });
    const denied = run('/bin/sh', ['-c', hookCommand(repo)], repo, writeOf(join(repo, 'a.txt')));
    expect(denied.status).toBe(2);
    const { hookSpecificOutput } = JSON.parse(denied.stdout) as {
      hookSpecificOutput: { permissionDecisionReason: string };
    };
    expect(JSON.parse(hookSpecificOutput.permissionDecisionReason)).toMatchObject({
      error_type: 'NOT_LOCKED',
    });
  });
});

describe('the checkout', () => {
  test('answers to npx', () => {
    expect(npm(['exec', '--offline', '--', 'guard', '--version'], ROOT).stdout.trim()).toMatch(
      /^\d+\.\d+\.\d+$/,
    );
  });

  test('becomes a command with npm link', () => {
    const link = npm(['link', ...QUIET], ROOT, { npm_config_prefix: prefix });
    expect(link.status, link.stderr).toBe(0);
    const bin = join(prefix, 'bin/guard');
    expect(realpathSync(bin)).toBe(realpathSync(join(ROOT, 'bin/guard.mjs')));
    expect(run(bin, ['--version'], home)).toMatchObject({ status: 0 });
  });

  test('says how to build it where it is not built', () => {
    const bare = join(root, 'bare');
    mkdirSync(join(bare, 'bin'), { recursive: true });
    writeFileSync(join(bare, 'bin/guard.mjs'), readFileSync(join(ROOT, 'bin/guard.mjs')));
    const answer = run(process.execPath, [join(bare, 'bin/guard.mjs'), 'status'], home);
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

/** The prebuilt lock has no binary for some versions of Node; another provider takes the same kernel lock then. */
function providerHere(): unknown {
  const major = process.versions.node.split('.')[0] ?? '';
  const binary = `binaries/fs-ext-${process.platform}-${process.arch}-node-${major}.0.0.node`;
  return existsSync(join(project, 'node_modules/fs-ext', binary)) ? 'fs-ext' : expect.any(String);
}

function hookCommand(repo: string): string {
  interface Settings {
    readonly hooks: {
      readonly PreToolUse: readonly { readonly hooks: readonly { readonly command: string }[] }[];
    };
  }
  const settings = JSON.parse(readFileSync(join(repo, '.claude/settings.json'), 'utf8')) as Settings;
  return settings.hooks.PreToolUse[0]?.hooks[0]?.command ?? '';
}

const writeOf = (file_path: string): string =>
  JSON.stringify({
    session_id: 'package-test',
    transcript_path: join(home, 'package-test.jsonl'),
    cwd: dirname(file_path),
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path, content: 'new\n' },
    tool_use_id: 'toolu_package_1',
  });
