/** Finds out where git takes this repository's hooks from, and what is there. Changes nothing. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { join, resolve } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import type { Repo } from '../../repo/locate.ts';
import { realPath } from '../../repo/real-path.ts';
import type { Environment } from '../../repo/user-dirs.ts';
import type { FileFound } from '../file-change.ts';
import { type GitHookName, isGuardsHook, nextName } from './script.ts';

export interface GitHookFound {
  readonly name: GitHookName;
  /** Where git looks: `core.hooksPath`, or `hooks` in the common git directory. Links are resolved. */
  readonly dir: string;
  /** Inside the git directory, where nothing is tracked and no other repository looks. */
  readonly is_own_dir: boolean;
  readonly hook: HookFile;
  /** The hook that guard moved aside. */
  readonly next: HookFile;
}

export interface HookFile extends FileFound {
  /** Whether the name is taken, even if only by a dangling link. */
  readonly exists: boolean;
  readonly is_executable: boolean;
  readonly is_guards: boolean;
}

/** The caller's environment must not choose the repository. */
const CHOOSING = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|PREFIX|CONFIG_|NAMESPACE)/;

/** `null` if there is no git, or no git repository. */
export function findGitHook(
  name: GitHookName,
  { root, common_dir }: Repo,
  env: Environment,
): GitHookFound | null {
  if (common_dir === null) return null;
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !CHOOSING.test(name)));
  const asked = spawnSync('git', ['-C', root, 'rev-parse', '--git-path', 'hooks'], {
    encoding: 'utf8',
    env: clean,
    timeout: 5_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (asked.status !== 0) return null;
  const dir = realPath(resolve(root, asked.stdout.replace(/\r?\n$/, '')));
  return {
    name,
    dir,
    is_own_dir: dir.startsWith(`${realPath(common_dir)}/`),
    hook: hookFile(join(dir, name)),
    next: hookFile(join(dir, nextName(name))),
  };
}

const NEW_MODE = 0o755;

/** Looks at the name itself, not at a link's target, which may be a file of the project. */
export function hookFile(path: string): HookFile {
  const stat = statOf(path);
  const bytes = stat === undefined ? null : bytesOf(path);
  const is_link = stat?.isSymbolicLink() ?? false;
  return {
    ...{ path, target: path, is_link, bytes, mode: NEW_MODE },
    exists: stat !== undefined,
    is_executable: is_link || ((stat?.mode ?? 0) & 0o100) !== 0,
    is_guards: !is_link && bytes !== null && isGuardsHook(bytes.toString('utf8')),
  };
}

/** Below something that is not a directory (`core.hooksPath=/dev/null`) there is nothing. */
const statOf = (path: string): Stats | undefined => attempt(() => lstatSync(path), undefined);

const bytesOf = (path: string): Buffer | null => attempt(() => readFileSync(path), null);
