/** Real repositories in a temporary directory, with a git that ignores the user's settings. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { locateRepo } from '../../src/repo/locate.ts';
import { markPlace } from '../../src/repo/known/marking.ts';
import { createStateDir, type Install } from '../../src/repo/state-dir.ts';
import { sweep } from '../claude/driver/sweep.ts';

export const INSTALL: Install = {
  v: 1,
  id: '0123456789abcdef0123456789abcdef',
  enforcement_floor: 'required',
  ttl_ms: 900_000,
  release_on: 'stop',
  case_fold: false,
  unicode_fold: false,
  guard_root: '/opt/guard',
  created_at: '2026-01-02T03:04:05.678Z',
};

/** Canonical; removed after the test file. */
export function scratchDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'guard-repo-')));
  afterAll(() => sweep(dir));
  return dir;
}

export function put(file: string, text = ''): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** git without a user: no configuration but the repository's. */
export const GIT_ENV = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

export function git(cwd: string, ...args: string[]): string {
  const all = ['-c', 'protocol.file.allow=always', '-c', 'init.defaultBranch=main', ...args];
  return execFileSync('git', all, {
    cwd,
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** A repository with one commit, as worktrees and submodules need. */
export function gitRepo(dir: string): string {
  mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q');
  put(join(dir, 'src/a.ts'), 'export {};\n');
  git(dir, 'add', '.');
  git(dir, 'commit', '-qm', 'one');
  return dir;
}

/** What `guard init` does to the state directory, for the user of this process and for `homes`. */
export function initialise(dir: string, install: Partial<Install> = {}, ...homes: string[]): string {
  const repo = locateRepo(dir);
  createStateDir(repo);
  for (const env of [process.env, ...homes.map((HOME) => ({ HOME }))])
    markPlace(repo, env, { ...INSTALL, ...install });
  return repo.state_dir;
}
