/** The trunk, into which everything would be merged. */
import { GuardError } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import type { ForecastGit } from './git.ts';

export interface Trunk {
  readonly name: string;
  readonly commit: string;
  readonly tree: string;
}

interface Asked {
  readonly cwd: string;
  readonly wanted: string | undefined;
  /** From the configuration; `main_branch` is that of the main checkout. */
  readonly default_branch: string | null;
  readonly main_branch: string | null;
}

/**
 * The requested commit; otherwise the first that exists of: the default branch of `origin`, `init.defaultBranch`, main,
 * master, the main checkout's branch. Null: the repository has none of them.
 * @throws GuardError GUARD_ERR_INPUT if the requested name is not a commit
 */
export async function trunkOf(git: ForecastGit, { cwd, wanted, ...known }: Asked): Promise<Trunk | null> {
  if (wanted !== undefined) {
    const [found] = await commitsOf(git, cwd, [{ name: wanted, ref: wanted }]);
    if (found === undefined) throw noCommit(wanted);
    return found;
  }
  const origin = await git.run({ cwd }, 'symbolic-ref', '-q', 'refs/remotes/origin/HEAD');
  const remote = origin.status === 0 ? origin.out.trim().replace('refs/remotes/origin/', '') : null;
  const local = (name: string | null) => (name === null ? [] : [{ name, ref: `refs/heads/${name}` }]);
  const named = [known.default_branch, 'main', 'master', known.main_branch].flatMap(local);
  const of_remote =
    remote === null ? [] : [{ name: `origin/${remote}`, ref: `refs/remotes/origin/${remote}` }];
  const [first = null] = await commitsOf(git, cwd, [...local(remote), ...of_remote, ...named]);
  return first;
}

interface Named {
  readonly name: string;
  readonly ref: string;
}

/** Those that exist, in order. */
async function commitsOf(git: ForecastGit, cwd: string, named: readonly Named[]): Promise<readonly Trunk[]> {
  // Names are passed one per line.
  const asked = named.filter(({ ref }) => !ref.includes('\n'));
  const lines = asked.flatMap(({ ref }) => [`${ref}^{commit}\n`, `${ref}^{tree}\n`]);
  const input = Buffer.from(lines.join('')).toString('latin1');
  const said = (await git.ask({ cwd, input }, 'cat-file', '--batch-check=%(objectname)')).split('\n');
  return asked.flatMap(({ name }, nth) => {
    const [commit = '', tree = ''] = said.slice(2 * nth);
    return [commit, tree].every((oid) => /^[0-9a-f]{40,64}$/.test(oid)) ? [{ name, commit, tree }] : [];
  });
}

const noCommit = (name: string): GuardError =>
  new GuardError(
    'GUARD_ERR_INPUT',
    `${plain(name)} is not a branch or commit in this repository.`,
    'Pass a branch, a tag or a commit to --trunk.',
    { field: 'trunk', given: name },
  );
