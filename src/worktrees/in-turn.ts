/** Serialises changes to the list of worktrees: each caller locks `@git/worktrees`, queueing for it as for a file. */
import { gitName } from '../core/git-names.ts';
import { pathKey } from '../core/keys.ts';
import type { AcquireResult } from '../core/rules/acquire.ts';
import { asPathState } from '../core/states.ts';
import type { RepoPath } from '../core/types.ts';
import { unlessBusy } from '../core/is-busy.ts';
import { blockThread } from '../repo/block-thread.ts';
import { monotonic } from '../repo/clock.ts';
import { markProcess } from '../repo/process.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { notMade } from './make.ts';

/** Each clone has its own list. */
const listOf = ({ repo }: CallerWorkspace): RepoPath => gitName('worktrees', repo.worktree);
const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 200;

/**
 * Also waits for a ledger that others are using.
 * @param until_ms of monotonic()
 * @throws GuardError GUARD_ERR_WORKTREE if its turn does not come in time
 */
export function inTurn<T>(space: CallerWorkspace, until_ms: number, work: () => T): T {
  const list = listOf(space);
  const isHeld = holds(space, list);
  wait(space, list, until_ms);
  try {
    return work();
  } finally {
    if (!isHeld) release(space, list);
  }
}

/** A lock that the agent already held before is kept. */
function holds({ who, store }: CallerWorkspace, list: RepoPath): boolean {
  const key = pathKey(list);
  const state = asPathState(store.look([key]).get(key));
  return state.holds.some(({ agent }) => agent === who.id);
}

function wait({ who, run, facts }: CallerWorkspace, list: RepoPath, until_ms: number): void {
  const asked = {
    ...({
      type: 'lock.acquire',
      who,
      paths: [list],
      mode: 'exclusive',
      ttl_ms: null,
      all: true,
    } as const),
    wait_until_mono_ms: facts().now.mono_ms + Math.max(0, until_ms - monotonic()),
    waiter: markProcess(process.pid),
  };
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 1.4, LAST_PAUSE_MS)) {
    const [found] = unlessBusy(() => run(asked)) ?? [];
    if (found?.acquired === true) return;
    if (found?.error !== undefined || monotonic() + pause_ms > until_ms) {
      unlessBusy(() =>
        run({ type: 'lock.unwait', who, paths: [list], cause: 'timeout', waiter: asked.waiter }),
      );
      throw notInTime(found);
    }
    blockThread(pause_ms);
  }
}

function release({ who, run }: CallerWorkspace, list: RepoPath): void {
  for (let tries = 0; tries < 3; tries++)
    if (unlessBusy(() => run({ type: 'lock.release', who, paths: [list] })) !== undefined) return;
}

function notInTime(found: AcquireResult | undefined): Error {
  const who = found?.holder ?? null;
  const held = who === null ? 'The ledger was busy the whole time.' : `@git/worktrees is held by ${who}.`;
  const hint = 'Try again when it is free: guard lock wait @git/worktrees; guard status shows who is here.';
  return notMade(`No worktree was made. ${held}`, hint, { holder: who ?? '' });
}
