// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Takes in the events that this machine could not send to a shared ledger, before its next commit. Other processes here
 * may do the same concurrently, or one may have died after its commit: the engine recognises each event by its id.
 */
import { decide } from '../../core/decide.ts';
import { judgeAmong } from '../../core/rules/among-machines.ts';
import type { RecordBody, View } from '../../core/ledger.ts';
import { noteRevoked } from '../../core/rules/note-revoked.ts';
import { changesOver } from '../../core/states.ts';
import type { AgentId, Facts, RepoPath } from '../../core/types.ts';
import { NEXT } from '../placeholder.ts';
import type { Engine, Store } from '../store.ts';
import { transact } from '../transact.ts';
import { eachLate } from './each-late.ts';
import type { LateStep } from './late-file.ts';
import { datedLate, toldLate, wasTaken } from './told-late.ts';
import { watchedEngine } from './watched-engine.ts';

export interface TakingIn {
  readonly state_dir: string;
  /** The store without this step, which would recurse. */
  readonly store: Store;
  readonly shared_as: string;
  readonly facts: () => Pick<Facts, 'now' | 'isDead' | 'machine' | 'machine_boot'>;
}

/** @throws whatever keeps the ledger from being written */
export function takeInShared({ state_dir, store, shared_as, facts }: TakingIn): void {
  const engine = watchedEngine(store);
  const boot = (): string | undefined => facts().machine_boot;
  eachLate(state_dir, {
    // By the machine's own clock: what it knows of the engine's without asking is late, by as long as the answer took.
    order: ({ machine_boot, now, left_us }) => (machine_boot === boot() ? left_us : now.wall_ms - 2 ** 52),
    isTold(late) {
      if (late.shared_as !== shared_as) return false;
      const here = facts();
      return wasTaken(() => take(engine, here, late), engine.isOwn);
    },
  });
}

/** Uses the time when it happened, if the engine's clock is still the same. An end does not apply to an agent's new life. */
function take(engine: Engine<'now'>, here: ReturnType<TakingIn['facts']>, late: LateStep): void {
  const { id, event, now: then, policy, guard_command } = late;
  transact(
    engine,
    (view) => {
      const now = then.boot === view.now.boot ? then : view.now;
      const seen = { ...here, now, policy, guard_command };
      const at = { ...view, now };
      const told = toldLate(event, event.who);
      const lost = lostTo(view, late);
      // Nothing approved that write, so its end is recorded as one that bypassed guard, and its agent is notified.
      if (lost.length > 0) return { records: noted(view, late, lost, seen), result: null };
      const step = judgeAmong(at, asNow(view, told), seen, (shown, asked, judged) =>
        decide(shown, asked, judged),
      );
      return datedLate(isDenied(step.result) ? { ...step, records: [] } : step, late);
    },
    { id },
  );
}

/** The leases under which a write began unasked that ended before it could be recorded, and who holds them now. */
function lostTo(view: View, { event, tokens = {} }: LateStep): readonly (readonly [RepoPath, AgentId])[] {
  const changes = changesOver(view);
  return Object.entries(tokens).flatMap(([path, token]) => {
    const { holds } = changes.path(path);
    if (holds.some((hold) => hold.agent === event.who.id && hold.token === token)) return [];
    return [[path, holds[0]?.agent ?? ''] as const];
  });
}

function noted(
  view: View,
  { event }: LateStep,
  lost: readonly (readonly [RepoPath, AgentId])[],
  facts: Facts,
): readonly RecordBody[] {
  const changes = changesOver(view);
  for (const [path, to] of lost) {
    noteRevoked(changes, event.who.id, { path, to, cause: 'away' }, facts);
    changes.record({ type: 'revoke', agent: event.who.id, ts_ms: NEXT, cause: 'away', path, to });
  }
  return changes.records;
}

/** While a lease is held no one else writes, so what was seen of the file before is still true. */
function asNow(view: View, told: ReturnType<typeof toldLate>): ReturnType<typeof toldLate> {
  if (told.type !== 'write.begin') return told;
  const changes = changesOver(view);
  const targets = told.targets.map((one) => ({ ...one, seen_touched: changes.path(one.path).touched }));
  return { ...told, targets };
}

const isDenied = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'verdict' in result && result.verdict !== 'approved';
