// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Before a command: releases holds that have expired. After anything that may have saved a file: repairs running
 * fences, because a save by rename takes a file's mount away.
 */
import { dropEnded, holdAll, holdShared, isDue } from '../../fence/keep.ts';
import { isOn, readOn } from '../../fence/site.ts';
import { syncSoon } from '../../fence/sync.ts';
import type { Hook } from '../context.ts';
import { consult } from '../../store/transact.ts';

export function tendFence({ home, now, dry, input }: Hook): void {
  const { state_dir, store } = home;
  if (dry || !isOn(state_dir)) return;
  if (store.supports.shared) {
    if (input.event === 'PreToolUse') holdNow(home, now);
  } else if (isDue(state_dir, now))
    consult(store, (view) => dropEnded(state_dir, view, now), { alone: true });
  const on = input.event === 'PreToolUse' ? null : readOn(state_dir);
  if (on !== null) syncSoon(state_dir, on);
}

/** All holds, at the start of a session; on a shared ledger before every command, because the fence does not learn of grants while it runs. */
export function holdNow({ state_dir, store, facts }: Hook['home'], now: Hook['now']): void {
  if (store.supports.shared) {
    const judge = facts();
    consult(store, (view) => holdShared(state_dir, view, judge));
  } else consult(store, (view) => holdAll(state_dir, view, now), { alone: true });
}
