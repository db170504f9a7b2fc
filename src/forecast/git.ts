/**
 * Runs git for a forecast. Nothing that a repository's configuration or attributes name is started: no hook, monitor,
 * filter, merge driver or pager. New objects go to guard's own directory, with the repository's as alternates.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { GuardError } from '../core/error.ts';
import { gitProgram, quotedForGit } from '../repo/git-program.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface GitTask {
  readonly cwd: string;
  /** A separate index of guard's, which may be written. Default: the checkout's, which is not written. */
  readonly index?: string;
  readonly input?: string;
}

/** Bytes as latin1, because file names need not be UTF-8. */
interface GitSaid {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ForecastGit {
  readonly run: (call: GitTask, ...args: readonly string[]) => Promise<GitSaid>;
  /** @throws GuardError GUARD_ERR_GIT if git fails */
  readonly ask: (call: GitTask, ...args: readonly string[]) => Promise<string>;
}

export interface GitMeans {
  readonly env: Environment;
  readonly settings?: readonly (readonly [key: string, value: string])[];
  readonly objects?: { readonly own: string; readonly behind: string };
}

/** The user's own configuration applies, as for any git they run. */
const PASSED = [
  'HOME',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'TMPDIR',
];

const FIXED = {
  PATH: '/usr/bin:/bin:/opt/homebrew/bin:/usr/local/bin',
  LC_ALL: 'C',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  // Fixed, so that the same content always gives the same commit.
  ...{ GIT_AUTHOR_NAME: 'guard', GIT_AUTHOR_EMAIL: 'guard@localhost', GIT_AUTHOR_DATE: '@0 +0000' },
  ...{ GIT_COMMITTER_NAME: 'guard', GIT_COMMITTER_EMAIL: 'guard@localhost', GIT_COMMITTER_DATE: '@0 +0000' },
};

const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // A split index would be written next to the repository's own.
  ['core.splitIndex', 'false'],
  ['index.sparse', 'false'],
  ['core.untrackedCache', 'true'],
  // There is already one process per processor; twenty threads in each cost a tenth more than they save.
  ['core.preloadIndex', 'false'],
  ['core.looseCompression', '1'],
  ['core.safecrlf', 'false'],
  ['core.quotePath', 'false'],
  ['status.showUntrackedFiles', 'all'],
  ['submodule.recurse', 'false'],
  ['merge.conflictStyle', 'merge'],
  ['gc.auto', '0'],
];

/** @throws GuardError GUARD_ERR_GIT if there is no git */
export function openGit({ env, settings = [], objects }: GitMeans): ForecastGit {
  const program = gitProgram();
  if (program === null)
    throw new GuardError('GUARD_ERR_GIT', 'git was not found.', 'Install git 2.39 or newer.');
  const base = {
    ...Object.fromEntries(PASSED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...FIXED,
    ...settingsAsVariables([...SETTINGS, ...settings]),
    ...(objects && {
      GIT_OBJECT_DIRECTORY: objects.own,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotedForGit(objects.behind),
    }),
  };
  const run: ForecastGit['run'] = ({ cwd, index, input = '' }, ...args) =>
    new Promise((resolve, reject) => {
      const own = index === undefined ? { GIT_OPTIONAL_LOCKS: '0' } : { GIT_INDEX_FILE: index };
      const child = spawn(program, ['--no-pager', ...args], { cwd, env: { ...base, ...own } });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (data: Buffer) => out.push(data));
      child.stderr.on('data', (data: Buffer) => err.push(data));
      // git may exit before it has read everything; its status tells.
      child.stdin.on('error', () => undefined);
      child.on('error', reject);
      child.on('close', (status) => resolve({ status, out: latin1(out), err: latin1(err) }));
      child.stdin.end(Buffer.from(input, 'latin1'));
    });
  const ask: ForecastGit['ask'] = async (call, ...args) => {
    const said = await run(call, ...args);
    if (said.status !== 0) throw gitFailed(args, said);
    return said.out;
  };
  return { run, ask };
}

const latin1 = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('latin1');

/** Decodes bytes from git as text. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** Unlike `-c`, variables accept keys of any form. */
function settingsAsVariables(settings: NonNullable<GitMeans['settings']>): Record<string, string> {
  const pairs = settings.flatMap(([key, value], nth) => [
    [`GIT_CONFIG_KEY_${nth}`, key],
    [`GIT_CONFIG_VALUE_${nth}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...(Object.fromEntries(pairs) as object) };
}

function gitFailed(args: readonly string[], { status, err }: GitSaid): GuardError {
  const [reason = ''] = textOfBytes(err).split('\n');
  const what = args.find((word) => !word.startsWith('-')) ?? '';
  return new GuardError(
    'GUARD_ERR_GIT',
    `git ${what} failed: ${reason === '' ? `status ${String(status)}` : reason}`,
    'Run it by hand in the repository; "git fsck" checks the repository.',
    { command: what, status },
  );
}

/** Runs as many concurrently as there are processors; results are in order. */
export async function inTurns<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<number, R>();
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [nth, item] of left) results.set(nth, await work(item));
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
