/** Maps the paths of a tool call to files, each with the ledger that keeps it. */
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
  /** The reason given by GUARD_ERR_PATH (repo/real-path.ts). */
  readonly reason?: unknown;
}

/** Does not throw for an unusable path: that is a finding about the path. */
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

/** Groups files by ledger, so that each ledger sees one transaction. */
export function bySpace(located: readonly Located[]): Map<HookSpace, Target[]> {
  const groups = new Map<HookSpace, Target[]>();
  for (const { target, space } of located) groups.set(space, [...(groups.get(space) ?? []), target]);
  return groups;
}

/** Baselines are always checked against the session's life, wherever the file is; null if the file is in the session's own ledger. */
export function homeLife(hook: Hook, space: HookSpace): Life | null {
  if (space.state_dir === hook.home.state_dir) return null;
  const state = hook.home.agent();
  if (state === undefined) return null;
  const { turn, joined_wall_ms, context } = state;
  return { turn, joined_wall_ms, context, joined_lsn: null };
}

export const turnOf = (hook: Hook): number => hook.home.agent()?.turn ?? 1;
