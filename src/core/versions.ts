/**
 * The history of one file, version by version, from the ledger. Three kinds of record contribute: a write (digest after
 * it), a drift (before and after), and an intent, whose state has the content when a write was approved. If that is not
 * the content of the previous version, an unrecorded change came in between.
 */
import { asList } from './json-object.ts';
import { pathKey } from './keys.ts';
import type { LedgerRecord, Lsn } from './ledger.ts';
import { asPathState } from './states.ts';
import type { AgentId, Digest, RepoPath } from './types.ts';

/** How certain the author is: `write` and `parsed` are certain, `outside` is no one that guard knows. */
export type How = 'write' | 'parsed' | 'suspected' | 'ambiguous' | 'outside';

export interface Version {
  /** The record's lsn; `null` if the version was only now found on disk. */
  readonly lsn: Lsn | null;
  /** RFC 3339; `null` like `lsn`. For `outside`, when the change was noticed. */
  readonly ts: string | null;
  /** The authors; several if it is unclear which one, empty for `outside`. */
  readonly agents: readonly AgentId[];
  readonly how: How;
  readonly tool: string | null;
  /** The content it replaced; `null`: no file; `undefined`: unknown. */
  readonly from: Digest | null | undefined;
  readonly to: Digest | null;
}

const WRITES = ['write', 'write.raced', 'bypass'];
const AUTHORS: readonly string[] = ['parsed', 'suspected', 'ambiguous'];

/** `version` is `null` if only the previous content is known. */
interface Fact {
  readonly from: Digest | null | undefined;
  readonly version: Omit<Version, 'from'> | null;
}

/** Collects the versions of one path from records in ledger order. */
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

/** Adds the content on disk if it is not the last one in the ledger. */
export function withDisk(versions: readonly Version[], to: Digest | null): readonly Version[] {
  const last = versions.at(-1);
  if (last === undefined || last.to === to) return versions;
  return [...versions, { lsn: null, ts: null, agents: [], how: 'outside', tool: null, from: last.to, to }];
}

/** The paths whose content a record changes. */
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
