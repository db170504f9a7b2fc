// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Finds out what happened to a missing file that an agent read in this turn. Loaded only for the denial that reports it. */
import { attempt } from '../../core/attempt.ts';
import { basename, relative } from 'node:path';
import type { Gone } from '../../core/gone.ts';
import { pathKey } from '../../core/keys.ts';
import type { Baseline, Disk } from '../../core/rules/baseline.ts';
import { shellWord } from '../../core/shell-word.ts';
import { asPathState } from '../../core/states.ts';
import type { Digest } from '../../core/types.ts';
import type { Target } from '../../repo/canonical.ts';
import { ownGitDir } from '../../repo/clones.ts';
import { monotonic, readNow } from '../../repo/clock.ts';
import { fateInGit } from '../../repo/moved.ts';
import { digestUntil, sameContent } from '../../repo/same-content.ts';
import { locateRepo, type Repo } from '../../repo/locate.ts';
import { seenAt } from '../../workspace/seen.ts';
import type { HookSpace, Hook } from '../context.ts';
import { turnOf } from './targets.ts';

/** Share of the hook's own time: the denial must still be delivered. */
const SHARE = 0.25;
const MOST_MS = 1_200;

/** File systems use the last tick of the kernel's clock, up to 10 ms before the time that a process reads. */
const TICK_MS = 10;

/** The disk's state for a missing file whose content the agent once saw. */
export function missed(hook: Hook, space: HookSpace, file: Target, { turn, digest }: Baseline): Disk {
  const disk: Disk = { state: 'missing', digest: null, ctime_ms: 0 };
  // A file seen in an earlier turn may simply be written; any other will be denied, so there is time to look.
  return digest === null || turn !== turnOf(hook)
    ? disk
    : { ...disk, gone: whereItWent(hook, space, file, digest) };
}

function whereItWent(hook: Hook, space: HookSpace, file: Target, digest: Digest): Gone {
  const { root } = file.repo;
  const until_ms = timeFor(hook, space);
  const seen_ms = (seenAt(space.state_dir, hook.who.id, file.path) ?? hook.now.wall_ms) - TICK_MS;
  const known = {
    git: gitFor(hook, file.repo),
    // A client that names no session reports no failed calls either (up to 2.1.100); other hosts report none.
    hears_failures: hook.input.host === 'claude' && hook.env['CLAUDE_CODE_SESSION_ID'] !== undefined,
  };
  const git_dir = ownGitDir(file.repo);
  const path = relative(root, file.real);
  const fate = git_dir === null ? null : fateInGit({ root, git_dir, path, seen_ms, until_ms });
  const committed =
    fate?.commit === undefined ? {} : { commit: fate.commit.id, commit_by: fate.commit.author };
  const moved = movedFile(hook, root, fate?.moved_to ?? null);
  if (moved !== null) return { fate: 'moved', ...found(space, moved, until_ms), ...committed, ...known };
  const wanted = { digest, name: basename(file.real), seen_ms, until_ms };
  const same = movedFile(hook, root, sameContent(root, wanted));
  if (same !== null) return { fate: 'moved', ...found(space, same, until_ms), ...known };
  if (fate?.moved_to === null) return { fate: 'deleted', ...committed, ...known };
  return { fate: 'unknown', ...known };
}

/** For all files of one call together, however often it is checked again. */
function timeFor({ now }: Hook, { config }: HookSpace): number {
  const spent_ms = readNow().mono_ms - now.mono_ms;
  return monotonic() + Math.min(MOST_MS, SHARE * config.deadline_ms - spent_ms);
}

/** An agent may write in another checkout than the one in which its commands run. */
function gitFor({ input, env }: Hook, { kind, root }: Repo): string | null {
  if (kind !== 'git') return null;
  return locateRepo(input.cwd, env).root === root ? 'git' : `git -C ${shellWord(root)}`;
}

/** Null if there is no such file, or if another ledger keeps it. */
function movedFile(hook: Hook, root: string, path: string | null): Target | null {
  if (path === null) return null;
  // A name that cannot be resolved could not belong to a guarded write.
  const target = attempt(() => hook.resolve(path.startsWith('/') ? path : `${root}/${path}`), null);
  return target?.kind === 'file' && target.repo.root === root ? target : null;
}

function found(
  space: HookSpace,
  { path, abs, real }: Target,
  until_ms: number,
): Pick<Gone, 'moved_to' | 'by'> {
  const { last_write } = asPathState(space.cache.get([pathKey(path)])(pathKey(path)));
  const isItsOwn = last_write !== null && last_write.digest === digestUntil(real, until_ms);
  return { moved_to: abs, ...(isItsOwn ? { by: last_write.agent } : {}) };
}
