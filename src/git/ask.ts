/**
 * Queries to git. The repository may be hostile, including its configuration: nothing is written, nothing is fetched,
 * and no program is started except git itself (no hooks, pager, external diff, text conversion, file system monitor,
 * filter or signature check). All queries of a hook share one deadline.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { monotonic } from '../repo/clock.ts';
import { gitProgram } from '../repo/git-program.ts';
import { errnoOf } from '../repo/errno.ts';
import { textOf } from '../repo/small-file.ts';

/** Null: git failed. Throws `OutOfTime` after the deadline. */
export type Git = (...args: readonly string[]) => string | null;

export class OutOfTime extends Error {}

export interface Where {
  readonly cwd: string;
  /** The git directory that contains its configuration. */
  readonly common_dir: string;
  /** `GIT_DIR` and similar, as set for the command itself. */
  readonly variables: Readonly<Record<string, string>>;
  /** The command's `-c` settings. */
  readonly settings: readonly string[];
  readonly pathspecs: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On the clock of monotonic(). */
  readonly until_ms: number;
}

const SAFE_ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
};

const SAFE_SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.untrackedCache=keep',
  'core.quotePath=false',
  'log.showSignature=false',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'diff.relative=false',
  'color.ui=false',
];

/** The command's settings that determine which files are meant; others could start programs. */
const KEPT =
  /^(?:core\.(?:worktree|bare|excludesfile|autocrlf|eol|ignorecase|filemode|symlinks)|clean\.requireforce)=/i;

const OUTPUT_BYTES = 32 << 20;

export function gitAt(where: Where): Git {
  const program = gitProgram();
  if (program === null) return () => null;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { HOME, XDG_CONFIG_HOME } = where.env;
  const env = {
    ...(HOME === undefined ? {} : { HOME }),
    ...(XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME }),
    ...SAFE_ENVIRONMENT,
    ...where.variables,
  };
  const run = (settings: readonly string[], args: readonly string[]): string | null => {
    const left_ms = Math.floor(where.until_ms - monotonic());
    if (left_ms <= 0) throw new OutOfTime();
    const flags = settings.flatMap((one) => ['-c', one]);
    const done = spawnSync(program, ['--no-pager', ...where.pathspecs, ...flags, ...args], {
      cwd: where.cwd,
      encoding: 'utf8',
      env,
      timeout: left_ms,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (done.error !== undefined) {
      if (errnoOf(done.error) === 'ENOENT') return null;
      throw new OutOfTime();
    }
    return done.status === 0 ? done.stdout : null;
  };
  const base = [...where.settings.filter((one) => KEPT.test(one)), ...SAFE_SETTINGS];
  let settings: readonly string[] | undefined;
  return (...args) =>
    run((settings ??= [...base, ...withoutFilters(where, (asked) => run(base, asked))]), args);
}

/**
 * A filter or merge driver is a command line in the configuration, which git runs to compare a file. Without it, a file
 * at worst appears to differ. Only queried if some configuration file mentions one.
 */
function withoutFilters(where: Where, ask: (args: readonly string[]) => string | null): readonly string[] {
  const home = where.env['HOME'] ?? '/nonexistent';
  const files = [
    join(where.common_dir, 'config'),
    join(where.common_dir, 'config.worktree'),
    join(home, '.gitconfig'),
    join(where.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'config'),
  ];
  const isPlain = files.every((file) => {
    if (!existsSync(file)) return true;
    const text = textOf(file, 65_536);
    return text !== null && !/filter|include|merge\s*"|worktreeconfig/i.test(text);
  });
  if (isPlain) return [];
  const listed = ask(['config', '-z', '--name-only', '--get-regexp', '^(filter|merge)\\..*\\.']) ?? '';
  const keys = listed.split('\0').filter((key) => /\.(?:clean|smudge|process|required|driver)$/.test(key));
  return keys.map((key) => (key.endsWith('.required') ? `${key}=false` : `${key}=`));
}
