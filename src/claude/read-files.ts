// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Which files an agent read in its turn, from its baselines. Used only for a denial, because it reads all of them. */
import fs from 'node:fs';
import { attempt } from '../core/attempt.ts';
import type { ReadFile } from '../core/rules/write-event.ts';
import type { RepoPath } from '../core/types.ts';
import type { Repo } from '../repo/locate.ts';
import { seenBy } from '../workspace/seen.ts';
import type { HookSpace, Hook } from './context.ts';
import { whyRefused } from './why-refused.ts';

/** The newest; an agent that read more than a few was only looking around (core/rules/locked-together.ts). */
const READ_MAX = 24;

/**
 * Newest first, without files that no agent may write.
 * @param space only files of this checkout, which one lock command can name together
 */
export function filesRead(hook: Hook, { repo, state_dir }: HookSpace, turn: number): readonly ReadFile[] {
  const found: ReadFile[] = [];
  let looked = 0;
  for (const { path, baseline } of seenBy(state_dir, hook.who.id)) {
    if (looked++ === READ_MAX * 4) break;
    if (baseline.turn !== turn || baseline.knows === 'absent') continue;
    const abs = absoluteIn(repo, path);
    if (abs === null || !isFile(abs) || isRefused(hook, abs)) continue;
    found.push({ path, abs, digest: baseline.digest });
    if (found.length === READ_MAX) break;
  }
  return found;
}

/** A path that no longer resolves cannot be written either. */
const isRefused = (hook: Hook, abs: string): boolean =>
  attempt(() => whyRefused(hook, hook.resolve(abs)) !== null, true);

/** Null for a file of another checkout. */
function absoluteIn({ root, worktree }: Repo, path: RepoPath): string | null {
  const scope = worktree === null ? '' : `//${worktree}/`;
  const rel = path.startsWith(scope) ? path.slice(scope.length) : '/';
  return rel.startsWith('/') ? null : `${root}/${rel}`;
}

/** A path that cannot be looked at is not a file. */
const isFile = (abs: string): boolean => attempt(() => fs.lstatSync(abs).isFile(), false);
