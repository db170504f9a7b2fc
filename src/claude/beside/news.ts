// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Which unknown contents of a file in other checkouts are changes since the fork, and what the agent is told about them. */
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { attempt } from '../../core/attempt.ts';
import { inMain } from '../../core/lease-scope.ts';
import { meeting, neighbourLine } from '../../core/neighbours.ts';
import { gitPlaceOf } from '../../repo/clones.ts';
import { gitAnswer } from '../../repo/git-answer.ts';
import { monotonic } from '../../repo/clock.ts';
import type { Repo } from '../../repo/locate.ts';
import { realPath } from '../../repo/real-path.ts';
import { readGitDir } from '../../repo/git-dir.ts';
import { ignoredAmong } from '../../repo/ignored.ts';
import type { Hook } from '../context.ts';
import { textAfter } from '../edit-result.ts';
import type { Located } from '../events/targets.ts';
import type { Fresh, News } from './fresh.ts';
import { type Fork, type ForkQuestion, forksOf } from './forks.ts';
import { headsOf } from './heads.ts';
import { hunksBetween, linesIn, linesOfText } from './hunks.ts';
import { neighbourOf } from './neighbour-of.ts';

const LIMIT_MS = 1_000;

/** Contents that cannot be checked in time are left out; they are news at the next edit. */
export function newsOf(
  hook: Hook,
  { target, space }: Located,
  mine: Buffer | null,
  fresh: readonly Fresh[],
): News[] {
  const { repo } = space;
  const file = relative(repo.root, target.real);
  const ends = monotonic() + LIMIT_MS;
  const left_ms = (): number => Math.floor(ends - monotonic());
  if (file.includes('\n') || isInAnother(repo.root, target.real)) return fresh.map(nothing);
  const filter = filterOf(repo.root, file, left_ms);
  if (filter !== null && filter !== 'lfs') return filter === '' ? [] : fresh.map(nothing);
  const heads = headsOf(repo, fresh, left_ms);
  const forks = forksOf({ root: repo.root, file, left_ms, behind: heads.behind }, [
    ...new Set([...heads.of.values()].filter((head) => head !== null)),
  ]);
  const isTracked = [...forks.values()].some(({ bases, committed }) => committed ?? bases.some(Boolean));
  if (!isTracked && ignoredAmong(repo.root, [target.real], left_ms()).size > 0) return fresh.map(nothing);
  const after = mine === null ? '' : (linesIn(mine)?.join('\n') ?? null);
  // The result of a command line is not known in advance.
  const edited =
    after === null || hook.input.tool === 'Bash' ? null : (textAfter(hook.input, after) ?? after);
  return fresh.flatMap((one) => {
    const fork = forks.get(heads.of.get(one.id) ?? '');
    if (fork === undefined || left_ms() <= 0) return [];
    const found = isThere(repo, one, fork, { file, left_ms })
      ? neighbourOf(hook, { target, space }, one, fork)
      : null;
    if (found === null) return [nothing(one)];
    const base = fork.bases[0]?.bytes;
    const before = base === undefined ? [] : base === null ? null : linesIn(base);
    const own = edited === null || before === null ? null : hunksBetween(before, linesOfText(edited));
    return [
      {
        ...one,
        line: neighbourLine(inMain(target.path), found, own),
        meets: meeting(own, found.hunks)?.length !== 0,
        agent: found.agent,
      },
    ];
  });
}

const nothing = (one: Fresh): News => ({ ...one, line: null, meets: false, agent: null });

/** Whether the file is in a nested repository, such as a submodule. */
function isInAnother(root: string, real: string): boolean {
  for (let dir = dirname(real); dir.length > root.length; dir = dirname(dir))
    if (existsSync(join(dir, '.git'))) return true;
  return false;
}

/** The filter between the file and git's own content of it: null if there is none, '' if it is not known. */
function filterOf(root: string, file: string, left_ms: () => number): string | null {
  const args = ['check-attr', '-z', 'filter', 'ident', 'working-tree-encoding', '--', file];
  const said = gitAnswer({ root, args, limit_ms: left_ms() });
  if (said === null) return '';
  const values = said
    .toString()
    .split('\0')
    .filter((_, at) => at % 3 === 2);
  return values.find((value) => value !== 'unspecified' && value !== 'unset') ?? null;
}

/** Through a link it would be a file elsewhere. */
const isOwnFile = (root: string, file: string): boolean =>
  attempt(() => relative(realPath(root), realPath(join(root, file))) === file, false);

/** A missing file may be absent from the checkout altogether, if that is gone, bare or sparse. */
function isThere(
  repo: Repo,
  { id, root, bytes }: Fresh,
  { committed }: Fork,
  { file, left_ms }: Pick<ForkQuestion, 'file' | 'left_ms'>,
): boolean {
  if (bytes !== null) return isOwnFile(root, file);
  const name = gitPlaceOf(repo, id)?.worktree;
  if ((readGitDir(root)?.worktree ?? '') !== name || !existsSync(join(root, '.git'))) return false;
  if (committed === null) return true;
  const args = ['--literal-pathspecs', 'ls-files', '-t', '--', file];
  const said = gitAnswer({ root: root, args, limit_ms: left_ms() });
  return said !== null && !said.toString().startsWith('S ');
}
