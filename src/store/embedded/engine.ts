/** Looks and commits on an opened ledger. */
import type { Key, Lsn, RecordBody } from '../../core/ledger.ts';
import type { Now } from '../../core/types.ts';
import { isDue, noteCommit } from '../../fence/keep.ts';
import { isOn } from '../../fence/site.ts';
import { IndexAnomaly } from '../failure.ts';
import { explicitIds } from '../explicit-ids.ts';
import { lookOf } from '../look.ts';
import { fillAll } from '../placeholder.ts';
import type { Committed, Engine, Index, StoreLook, Read, Stated } from '../store.ts';
import { append, place, type Placed } from './append.ts';
import type { AttachOptions } from './attach.ts';
import { hasMoved } from './has-moved.ts';
import { idAt, isIndexed, type LedgerFiles, lookup, newestOf, recordAt } from './ledger.ts';
import { range } from './range.ts';

export interface Commit {
  readonly read: Read;
  readonly records: readonly RecordBody[];
  readonly id: string | undefined;
}

/** A prepared commit, valid as long as the ledger still ends at `lsn`. */
export interface Ready {
  readonly lsn: Lsn;
  readonly placed: readonly Placed[];
}

/** The current state and version of a key. */
function statedIn(ledger: LedgerFiles, key: Key): Stated {
  const version = newestOf(ledger, key) ?? 0;
  return { version, state: version === 0 ? undefined : (recordAt(ledger, version).s[key] ?? undefined) };
}

export function lookIn(
  ledger: LedgerFiles,
  now: Now,
  keys: readonly Key[],
  indexes: readonly Index[] = [],
): StoreLook {
  const states = new Map(keys.map((key) => [key, statedIn(ledger, key)]));
  const lists = indexes.map((index) => ({ ...index, ...range(ledger, index) }));
  return lookOf({ states, lists, tip: ledger.header.applied, now, indexed: isIndexed(ledger) });
}

const givenIn = ({ records, id }: Commit): readonly RecordBody[] =>
  records.map((body, at) => (at === 0 && id !== undefined ? { id, ...body } : body));

const idsIn = (given: readonly RecordBody[]): readonly (readonly [string, string])[] =>
  given.some((one) => one.id !== undefined) ? explicitIds(given) : [];

const placed = (ledger: LedgerFiles, given: readonly RecordBody[], now: Now): readonly Placed[] =>
  place(ledger, fillAll(given, ledger.header.applied, now));

/** Reads everything that the commit will need before the lock is taken. */
export function makeReady(ledger: LedgerFiles, { now }: AttachOptions, commit: Commit): Ready {
  const given = givenIn(commit);
  const lines = placed(ledger, given, now);
  for (const [agent, id] of idsIn(given)) idAt(ledger, agent, id);
  for (const { body } of lines) for (const key of Object.keys(body.s)) newestOf(ledger, key);
  if (isTold(ledger, given)) isDue(ledger.dir, now);
  return { lsn: ledger.header.applied, placed: lines };
}

/** @param ready of a step that looked without the lock: if something has moved, it looks again, so this throws IndexAnomaly */
export function commitIn(
  ledger: LedgerFiles,
  options: AttachOptions,
  commit: Commit,
  ready?: Ready,
): Committed {
  const { read } = commit;
  const given = givenIn(commit);
  for (const [agent, one] of idsIn(given)) {
    const lsn = idAt(ledger, agent, one);
    if (lsn !== undefined) return { verdict: 'repeated', lsn };
  }
  const lsn = ledger.header.applied;
  // If no record has been appended at all, nothing can have moved.
  if (read.tip !== lsn && hasMoved(ledger, read)) {
    if (ready) throw new IndexAnomaly('moved');
    return { verdict: 'moved', look: lookIn(ledger, options.now, [...read.keys.keys()], read.lists) };
  }
  const lines = ready?.lsn === lsn ? ready.placed : placed(ledger, given, options.now);
  const add = (): boolean => append(ledger, lines, options);
  const bodies = lines.map(({ body }) => body);
  if (isTold(ledger, bodies))
    noteCommit(ledger.dir, bodies, { now: options.now, get: (key) => lookup(ledger, key) }, add);
  else add();
  return { verdict: 'done', lsn };
}

/** Types of records that change who holds what. */
const HOLDS = [
  ...['hold', 'renew', 'release', 'revoke', 'reserve', 'unreserve', 'expire', 'turn', 'agent', 'command'],
  'background',
];

/** Commands that run in a fence are informed (src/fence) under the same lock. */
const isTold = ({ dir }: LedgerFiles, records: readonly RecordBody[]): boolean =>
  records.some(({ type }) => HOLDS.some((word) => type.startsWith(word))) && isOn(dir);

export const engineOn = (ledger: LedgerFiles, options: AttachOptions): Engine<'now'> => ({
  look: (keys, indexes) => lookIn(ledger, options.now, keys, indexes),
  commit: (read, records, id) => commitIn(ledger, options, { read, records, id }),
});
