// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Looks for changes in the session's own ledger and, as time allows, in those of other repositories where this agent wrote. */
import { ifAllowed } from '../../core/attempt.ts';
import { authorOf, momentOf } from '../../core/drift.ts';
import type { Digest } from '../../core/types.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { stampOf } from '../../repo/stat-key.ts';
import { seenAt } from '../../workspace/seen.ts';
import { locateRepo } from '../../repo/locate.ts';
import { monotonic } from '../../repo/clock.ts';
import type { HookSpace, Hook } from '../context.ts';
import type { Located } from '../events/targets.ts';
import { noticeIn, type Noticing, timesOf } from './notice-drift.ts';
import { spansIn } from './spans.ts';
import { driftWords } from './told-drift.ts';

const ELSEWHERE_MAX = 4;
const ELSEWHERE_MS = 200;

/** The notes for the agent; empty if the event cannot deliver them. A look that fails prevents nothing. */
export function noticeAll(hook: Hook, noticing: Noticing): readonly string[] {
  const notes = [...lookIn(hook, hook.home, noticing)];
  const until = monotonic() + ELSEWHERE_MS;
  for (const space of placesElsewhere(hook))
    if (monotonic() < until) notes.push(...lookIn(hook, space, noticing));
  return notes;
}

/** Other ledgers that keep files of this agent. */
export function placesElsewhere(hook: Hook): readonly HookSpace[] {
  const roots = hook.home.baselines.elsewhere().slice(0, ELSEWHERE_MAX);
  return roots
    .map((root) => ifAllowed(() => hook.workspace(locateRepo(root, hook.env)), null))
    .filter((space) => space !== null)
    .filter(({ state_dir }) => state_dir !== hook.home.state_dir);
}

/** If the ledger is busy or time runs out, the next hook looks again. */
const lookIn = (hook: Hook, space: HookSpace, noticing: Noticing): readonly string[] =>
  ifAllowed(() => {
    const { named } = space;
    return noticeIn(hook, space, noticing, (noticed) => {
      const notes = noticing.hears ? driftWords(hook, space, noticed) : [];
      if (named?.note) notes.forEach(named.note);
      return notes;
    });
  }, []);

/** Records who changed a file that is about to be refused as stale, unless that is recorded already. */
export function noticeOne(hook: Hook, { space, target: file }: Located, from: Digest, disk: DiskFact): void {
  if (disk.state !== 'file' && disk.state !== 'missing') return;
  const { who, now } = hook;
  const looked_ms = seenAt(space.state_dir, who.id, file.path) ?? 0;
  const moment = momentOf(timesOf({ abs: file.real, stamp: stampOf(file.real) }), {
    looked_ms,
    now_ms: now.wall_ms,
  });
  const author = authorOf(file.path, moment, spansIn(hook, space));
  const change = { path: file.path, from, to: disk.digest, seen: true, ...author };
  // The refusal is given even if this fails.
  ifAllowed(() => space.run({ type: 'drift', who, op: '', changes: [change] }), []);
}
