/**
 * git, run for a forecast. What a configuration or the attributes of a repository name is not started: no hook, monitor, filter,
 * merge driver, pager. New objects go to a directory of guard's own, with the repository's behind it.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { GuardError } from '../core/error.ts';
import { gitProgram, quotedForGit } from '../repo/git-program.ts';
import type { Environment } from '../repo/user-dirs.ts';

export interface GitTask {
  readonly cwd: string;
  /** An index of guard's own, which may be written; absent: the checkout's, which is not. */
  readonly index?: string;
  readonly input?: string;
}

/** Bytes as latin1: names of files need not be UTF-8. */
interface GitSaid {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ForecastGit {
  readonly run: (call: GitTask, ...args: readonly string[]) => Promise<GitSaid>;
  /** @throws GuardError GUARD_ERR_GIT where git fails */
  readonly ask: (call: GitTask, ...args: readonly string[]) => Promise<string>;
}

export interface GitMeans {
  readonly env: Environment;
  readonly settings?: readonly (readonly [key: string, value: string])[];
  readonly objects?: { readonly own: string; readonly behind: string };
}

/** Whose configuration counts: that of the user, as in any git of theirs. */
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
  // The same content is the same commit, whenever it is looked at.
  ...{ GIT_AUTHOR_NAME: 'guard', GIT_AUTHOR_EMAIL: 'guard@localhost', GIT_AUTHOR_DATE: '@0 +0000' },
  ...{ GIT_COMMITTER_NAME: 'guard', GIT_COMMITTER_EMAIL: 'guard@localhost', GIT_COMMITTER_DATE: '@0 +0000' },
};

const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // A split index would be written beside the repository's own.
  ['core.splitIndex', 'false'],
  ['index.sparse', 'false'],
  ['core.untrackedCache', 'true'],
  // There is a process for each processor already: twenty threads in each of them cost a tenth more than they look up.
  ['core.preloadIndex', 'false'],
  ['core.looseCompression', '1'],
  ['core.safecrlf', 'false'],
  ['core.quotePath', 'false'],
  ['status.showUntrackedFiles', 'all'],
  ['submodule.recurse', 'false'],
  ['merge.conflictStyle', 'merge'],
  ['gc.auto', '0'],
];

/** @throws GuardError GUARD_ERR_GIT where there is no git */
export function openGit({ env, settings = [], objects }: GitMeans): ForecastGit {
  const program = gitProgram();
  if (program === null)
    throw new GuardError('GUARD_ERR_GIT', 'There is no git here.', 'Install git 2.39 or newer.');
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
      // It may have ended before it read everything; its status says so.
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

/** What git said in bytes, as text. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

/** Unlike `-c`, it takes keys of any form. */
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
    'Try it by hand in the repository; "git fsck" checks it.',
    { command: what, status },
  );
}

/** As many at once as there are processors, in order. */
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
