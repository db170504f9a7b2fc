/**
 * What became of one file, version by version, as the ledger has it. Three kinds of record tell: a write (its digest after), a
 * drift (before and after), and an intent, whose state says what was there when a write was approved: where that is not what
 * the version before left, something came in between that nobody recorded.
 */
import { asList } from './json-object.ts';
import { pathKey } from './keys.ts';
import type { LedgerRecord, Lsn } from './ledger.ts';
import { asPathState } from './states.ts';
import type { AgentId, Digest, RepoPath } from './types.ts';

/** How sure it is who did it: `write` and `parsed` are certain, `outside` is nobody that guard knows. */
export type How = 'write' | 'parsed' | 'suspected' | 'ambiguous' | 'outside';

export interface Version {
  /** Of the record; null: found on disk only now. */
  readonly lsn: Lsn | null;
  /** RFC 3339; null as `lsn`. Of `outside` the time at which it was noticed. */
  readonly ts: string | null;
  /** Who did it; several where it is not clear which; none: `outside`. */
  readonly agents: readonly AgentId[];
  readonly how: How;
  readonly tool: string | null;
  /** What it replaced; null: no file; undefined: not known. */
  readonly from: Digest | null | undefined;
  readonly to: Digest | null;
}

const WRITES = ['write', 'write.raced', 'bypass'];
const AUTHORS: readonly string[] = ['parsed', 'suspected', 'ambiguous'];

/** `version` null: only what was there. */
interface Fact {
  readonly from: Digest | null | undefined;
  readonly version: Omit<Version, 'from'> | null;
}

/** Collects the versions of one path out of the records in their order. */
export function versionsOf(records: Iterable<LedgerRecord>, path: RepoPath): Version[] {
  const versions: Version[] = [];
  let last: Digest | null | undefined;
  for (const record of records) {
    const fact = factOf(record, path);
    if (fact === null) continue;
    const from = fact.from === undefined ? last : fact.from;
    const { lsn, ts } = record;
    if (last !== undefined && from !== undefined && from !== last)
      versions.push({ ...OUTSIDE, lsn, ts, from: last, to: from });
    if (fact.version !== null) versions.push({ ...fact.version, from });
    last = fact.version === null ? from : fact.version.to;
  }
  return versions;
}

const OUTSIDE = { agents: [], how: 'outside', tool: null } as const;

/** What is on disk now, where that is not what the ledger knows last. */
export function withDisk(versions: readonly Version[], to: Digest | null): readonly Version[] {
  const last = versions.at(-1);
  if (last === undefined || last.to === to) return versions;
  return [...versions, { lsn: null, ts: null, agents: [], how: 'outside', tool: null, from: last.to, to }];
}

/** The paths of a record that say something of a version. */
export function changedIn(record: LedgerRecord): readonly RepoPath[] {
  const { type, path } = record;
  const isChange = type === 'drift' || (WRITES.includes(type) && record['digest'] !== undefined);
  return isChange && typeof path === 'string' ? [path] : [];
}

function factOf(record: LedgerRecord, path: RepoPath): Fact | null {
  const { lsn, ts, agent, type } = record;
  if (type === 'intent') return seenBy(record, path);
  if (!changedIn(record).includes(path)) return null;
  if (type === 'drift') return driftOf(record);
  const tool = typeof record['tool'] === 'string' ? record['tool'] : null;
  const to = digestIn(record['digest']);
  return { from: undefined, version: { lsn, ts, agents: [agent], how: 'write', tool, to } };
}

function seenBy({ s }: LedgerRecord, path: RepoPath): Fact | null {
  const { intent } = asPathState(s[pathKey(path)]);
  return intent === null ? null : { from: intent.digest, version: null };
}

function driftOf(record: LedgerRecord): Fact {
  const { lsn, ts, author, agents } = record;
  const known = asList(agents).filter((one): one is AgentId => typeof one === 'string');
  const isSomebody = typeof author === 'string' && AUTHORS.includes(author) && known.length > 0;
  const how = isSomebody ? (author as How) : 'outside';
  const version = { lsn, ts, tool: null, agents: isSomebody ? known : [], how, to: digestIn(record['to']) };
  return { from: digestIn(record['from']), version };
}

const digestIn = (value: unknown): Digest | null => (typeof value === 'string' ? value : null);
