import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

/** The programs available in a scratch besides the system's. */
export interface Programs {
  /** guard's package directory. */
  readonly guard: string;
  /** The client, available on PATH as `claude`. */
  readonly client: string | null;
  /** guard is on PATH, as after a global installation. */
  readonly on_path?: boolean;
}

export interface Told {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A git repository with one commit, and a separate home in which the folder is trusted. */
export interface Scratch {
  readonly root: string;
  readonly repo: string;
  readonly home: string;
  /** The complete environment of the client and of every other process started here. */
  readonly env: Readonly<Record<string, string>>;
  path(name: string): string;
  read(name: string): string;
  bytes(name: string): Buffer;
  write(name: string, content: string | Uint8Array): void;
  git(...args: readonly string[]): string;
  /** Runs guard in the repository, as a person at a terminal would. */
  guard(...args: readonly string[]): Told;
  dispose(): void;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function makeScratch(files: Files, programs: Programs): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'guard-e2e-')));
  const repo = join(root, 'repo');
  const home = join(root, 'home');
  const env = environment(root, home, programs);
  for (const dir of [repo, home, join(root, 'tmp'), join(root, 'bin')]) mkdirSync(dir);
  if (programs.on_path === true) symlinkSync(join(programs.guard, 'bin/guard.cjs'), join(root, 'bin/guard'));
  // The binary has another name than `claude`, for example because a link was followed.
  if (programs.client !== null && basename(programs.client) !== 'claude')
    symlinkSync(programs.client, join(root, 'bin/claude'));
  writeFileSync(join(home, '.claude.json'), JSON.stringify(trust(repo)));
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\n\tname = Scratch\n\temail = scratch@example.com\n[init]\n\tdefaultBranch = main\n',
  );
  const path = (name: string): string => join(repo, name);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: repo, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'Start');
  return {
    root,
    repo,
    home,
    env,
    path,
    write,
    git,
    read: (name) => readFileSync(path(name), 'utf8'),
    bytes: (name) => readFileSync(path(name)),
    guard: (...args) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(programs.guard, 'bin/guard.cjs'), ...args],
        { cwd: repo, env, encoding: 'utf8', timeout: 60_000 },
      );
      return { code: status, stdout, stderr };
    },
    dispose: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Takes nothing but PATH from the caller's environment: no keys, no settings, no proxies. */
function environment(root: string, home: string, { client }: Programs): Record<string, string> {
  const client_dir = client === null ? [] : [dirname(client)];
  return {
    PATH: [
      join(root, 'bin'),
      dirname(process.execPath),
      ...client_dir,
      '/usr/local/bin',
      '/usr/bin',
      '/bin',
    ].join(delimiter),
    HOME: home,
    TMPDIR: join(root, 'tmp'),
    CLAUDE_CODE_TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
  };
}

function trust(repo: string): unknown {
  return { hasCompletedOnboarding: true, projects: { [repo]: { hasTrustDialogAccepted: true } } };
}
