/** guard packed by npm, and the places where it gets installed; one set per test file. */
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { memoryOr } from './claude/driver/memory.ts';

export const ROOT = resolve(import.meta.dirname, '..');
/** In memory, with npm's cache: on a disk, an install of 788 files took 1.4 s of system time instead of 0.6. */
export const root = realpathSync(mkdtempSync(join(memoryOr(tmpdir()), 'guard-package-')));
export const [packed, project, prefix, home] = ['packed', 'project', 'prefix', 'home'].map((name) =>
  join(root, name),
) as [string, string, string, string];
export const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

export interface Packed {
  readonly file: string;
  /** Paths inside the package. */
  readonly files: readonly string[];
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

/** npm keeps its own settings, and guard runs in a scratch home. */
export const npm = (
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): SpawnSyncReturns<string> =>
  spawnSync('npm', [...args], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: cleanEnv({
      HOME: process.env['GUARD_TEST_NPM_HOME'] ?? home,
      npm_config_cache: join(root, 'npm-cache'),
      ...more,
    }),
  });

export const run = (
  program: string,
  args: readonly string[],
  cwd: string,
  input = '',
): SpawnSyncReturns<string> =>
  spawnSync(program, [...args], {
    cwd,
    encoding: 'utf8',
    timeout: 30_000,
    input,
    env: cleanEnv({ CLAUDE_PROJECT_DIR: cwd }),
  });

const HOUR_MS = 3_600_000;

/** A copy, because packing replaces package.json for a moment. Already built: dist is newer than what packing makes. */
export function copyOfCheckout(): string {
  const copy = join(root, 'checkout');
  const left = ['node_modules', '.git', 'test', 'plugin', '.claude'];
  cpSync(ROOT, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (file) =>
      !left.includes(file.slice(ROOT.length + 1)) && !/\.(?:tmp|old|compiled)(?:$|\/)/.test(file),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'plugin/dist'), { recursive: true });
  writeFileSync(join(copy, 'plugin/dist/hook.cjs'), '');
  const later = new Date(Date.now() + HOUR_MS);
  utimesSync(join(copy, 'dist/cli/cli.mjs'), later, later);
  return copy;
}

export function packedFrom(dir: string): Packed {
  const done = npm(['pack', '--json', '--pack-destination', packed], dir);
  if (done.status !== 0) throw new Error(done.stderr);
  const [{ filename, files }] = JSON.parse(done.stdout.slice(done.stdout.indexOf('[\n'))) as [
    { filename: string; files: readonly { readonly path: string }[] },
  ];
  return { file: join(packed, filename), files: files.map(({ path }) => path) };
}

/** The same program with a newer version number, as npm would install it. */
export function newerOf({ file }: Packed, version: string): string {
  const dir = join(root, `newer-${version}`);
  mkdirSync(dir);
  execFileSync('tar', ['xzf', file], { cwd: dir });
  const manifest = join(dir, 'package/package.json');
  writeFileSync(
    manifest,
    JSON.stringify({ ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), version }),
  );
  execFileSync('tar', ['czf', 'newer.tgz', 'package'], { cwd: dir });
  return join(dir, 'newer.tgz');
}

export const installOf = (repo: string) =>
  JSON.parse(readFileSync(join(repo, '.git/guard/install.json'), 'utf8')) as {
    readonly guard_root: string;
    readonly command?: string;
  };
export function repository(name: string): string {
  const repo = join(root, `repo-${name}`);
  mkdirSync(repo);
  execFileSync('git', ['init', '--quiet'], { cwd: repo });
  return repo;
}

/** The answer of the installed hook to a write of a file that no agent has locked. */
export function denialIn(repo: string, scope: string): string {
  const denied = run('/bin/sh', ['-c', hookCommand(repo, scope)], repo, writeOf(join(repo, 'a.txt')));
  if (denied.status !== 2) throw new Error(`exit ${denied.status ?? 'by signal'}: ${denied.stderr}`);
  const { hookSpecificOutput } = JSON.parse(denied.stdout) as {
    hookSpecificOutput: { permissionDecisionReason: string };
  };
  return (JSON.parse(hookSpecificOutput.permissionDecisionReason) as { error_type: string }).error_type;
}

function hookCommand(repo: string, scope: string): string {
  interface Settings {
    readonly hooks: {
      readonly PreToolUse: readonly { readonly hooks: readonly { readonly command: string }[] }[];
    };
  }
  const dir = scope === 'user' ? home : repo;
  const name = scope === 'local' ? 'settings.local.json' : 'settings.json';
  const settings = JSON.parse(readFileSync(join(dir, '.claude', name), 'utf8')) as Settings;
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
