/** From the paths of a tool call to files, each with the ledger that keeps it. */
import { unlessRefused } from '../../core/attempt.ts';
import type { Life } from '../../core/rules/write-event.ts';
import type { Target } from '../../repo/canonical.ts';
import type { HookSpace, Hook } from '../context.ts';

export interface Located {
  readonly target: Target;
  readonly space: HookSpace;
}

export interface Unlocated {
  readonly given: string;
  readonly failure: { readonly code: string; readonly message: string; readonly hint: string };
  /** Of GUARD_ERR_PATH (repo/real-path.ts). */
  readonly reason?: unknown;
}

/** Throws nothing for a path that cannot be used: that is a finding about the path. */
export function locate(hook: Hook, given: readonly string[]): (Located | Unlocated)[] {
  return given.map((path) => locateOne(hook, path));
}

function locateOne(hook: Hook, given: string): Located | Unlocated {
  const find = (): Located | Unlocated => {
    const target = hook.resolve(given);
    return { target, space: hook.workspace(target.repo) };
  };
  return unlessRefused(find, ({ code, message, hint, facts }) => {
    return { given, failure: { code, message, hint }, reason: facts['reason'] };
  });
}

export const isLocated = (found: Located | Unlocated): found is Located => 'target' in found;

/** Files of one ledger together, so that each ledger sees one transaction. */
export function bySpace(located: readonly Located[]): Map<HookSpace, Target[]> {
  const groups = new Map<HookSpace, Target[]>();
  for (const { target, space } of located) groups.set(space, [...(groups.get(space) ?? []), target]);
  return groups;
}

/** The life that baselines are judged in is the session's, wherever the file is; null where the file is at home. */
export function homeLife(hook: Hook, space: HookSpace): Life | null {
  if (space.state_dir === hook.home.state_dir) return null;
  const state = hook.home.agent();
  if (state === undefined) return null;
  const { turn, joined_wall_ms, context } = state;
  return { turn, joined_wall_ms, context, joined_lsn: null };
}

export const turnOf = (hook: Hook): number => hook.home.agent()?.turn ?? 1;
