// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * A shared ledger that refuses to work with an engine that shows less than it acknowledged to this machine
 * (docs/decisions/264): it was restored to an earlier moment, has forgotten grants, and would issue their tokens again.
 */
import { GuardError } from '../core/error.ts';
import type { Key, LedgerRecord, Lsn, RecordBody } from '../core/ledger.ts';
import { blockThread } from '../repo/block-thread.ts';
import { fill } from '../store/placeholder.ts';
import type { Store, StoreLook } from '../store/store.ts';
import { type Acknowledged, type EngineMark, readAcknowledged, noteAcknowledged } from './engine-mark.ts';

export interface KnownHere {
  readonly dir: string;
  /** Called before the refusal: no lease that is cached here counts any longer. */
  readonly onRestored: () => void;
}

/** A standby that is about to take over may still be replaying what it has. */
const TRIES = 5;
const PAUSE_MS = 100;

export function unlessRestored(store: Store, { dir, onRestored }: KnownHere): Store {
  let epoch: string | undefined;
  const isBehind = (mark: EngineMark | null, { now, tip, top, states }: StoreLook): boolean => {
    if (mark === null) return false;
    // A new epoch's numbers are larger than all before it, so this one is from before the one noted.
    if (mark.epoch !== now.boot) return tip <= mark.lsn;
    if (top !== undefined && top < mark.lsn) return true;
    const written = Object.entries(mark.written).filter(([key]) => states.has(key));
    const versionOf = (key: Key): Lsn => states.get(key)?.version ?? 0;
    if (written.some(([key, lsn]) => versionOf(key) > 0 && versionOf(key) < lsn)) return true;
    const gone = written.filter(([key]) => versionOf(key) === 0).sort(([, a], [, b]) => b - a);
    const [newest] = gone;
    // While a commit before it has not ended, the log cannot be read up to it without waiting.
    if (newest === undefined || newest[1] >= tip) return false;
    // A restore loses all that follows a moment: with this one the others are there, too.
    if (!isInLog(store, ...newest)) return true;
    noteAcknowledged(dir, { ...mark, written: Object.fromEntries(gone.map(([key]) => [key, null])) });
    return false;
  };
  const refusal = (mark: EngineMark | null, top: Lsn | undefined): GuardError => {
    onRestored();
    return restored(mark, top);
  };
  const checked = (mark: EngineMark | null, first: StoreLook, again: () => StoreLook): StoreLook => {
    let look = first;
    for (let tries = 1; isBehind(mark, look); tries++) {
      if (tries === TRIES) throw refusal(mark, look.top);
      blockThread(PAUSE_MS);
      look = again();
    }
    epoch = look.now.boot;
    return look;
  };
  return {
    ...store,
    look(keys, indexes) {
      // Read before the engine is asked: whatever it acknowledged by then it has to show.
      const mark = readAcknowledged(dir);
      return checked(mark, store.look(keys, indexes), () => store.look(keys, indexes));
    },
    commit(read, records, id) {
      const mark = readAcknowledged(dir);
      const done = store.commit(read, records, id);
      // Numbers drawn after one was acknowledged are larger. One of an earlier commit, `repeated`, may be smaller.
      if (mark !== null && done.verdict === 'done' && records.length > 0 && done.lsn <= mark.lsn)
        throw refusal(mark, done.lsn);
      if (done.verdict === 'moved') {
        const look = checked(mark, done.look, () => store.look([...read.keys.keys()], read.lists));
        return { verdict: 'moved', look };
      }
      // An epoch that began since the look would have moved the commit.
      if (done.verdict === 'done' && epoch !== undefined && records.length > 0)
        noteAcknowledged(dir, { epoch, lsn: done.lsn, written: writtenBy(records, done.lsn) });
      return done;
    },
  };
}

/** A state that no longer exists was removed if the record that wrote it is still there, or was deleted for its age. */
function isInLog(store: Store, key: Key, lsn: Lsn): boolean {
  const at = firstFrom(store, lsn);
  if (at?.lsn === lsn) return key in at.s;
  return (firstFrom(store, 0)?.lsn ?? Infinity) > lsn;
}

function firstFrom(store: Store, lsn: Lsn): LedgerRecord | undefined {
  for (const record of store.scan(lsn, 1)) return record;
  return undefined;
}

const writtenBy = (records: readonly RecordBody[], lsn: Lsn): Acknowledged['written'] =>
  Object.fromEntries(
    records.flatMap((record, nth) =>
      Object.entries(fill(record.s, lsn)).map(([key, state]) => [key, state === null ? null : lsn + nth]),
    ),
  );

function restored(mark: EngineMark | null, top: Lsn | undefined): GuardError {
  const { lsn = 0 } = mark ?? {};
  return new GuardError(
    'GUARD_ERR_ENGINE_RESTORED',
    `The shared ledger has forgotten what it acknowledged to this machine (record ${lsn}), so it may grant what others still hold.`,
    'If its database was restored to an earlier moment, or a standby that lacked commits took over, its owner must run guard fleet restored. If the address leads to a standby that lags behind, correct the address.',
    { lsn, top },
  );
}
