/** Which content of a file an undo means. */
import type { Lsn } from './ledger.ts';
import type { AgentId, Digest } from './types.ts';
import type { Version } from './versions.ts';

/** `digest` null: there was no file. */
export interface UndoWish {
  readonly digest: Digest | null;
  /** The change that is undone; null for `as it was at`. */
  readonly undoes: Version | null;
}

export interface Asker {
  readonly id: AgentId;
  /** What it last saw or wrote of the file; null: it never did, or it is a person. */
  readonly seen: Digest | null;
}

/**
 * Back before the newest change. For an agent whose file somebody else changed since: to what it last wrote or saw.
 * Null: nothing is known that could be undone.
 */
export function beforeLast(versions: readonly Version[], { id, seen }: Asker): UndoWish | null {
  const last = versions.at(-1);
  if (last === undefined) return null;
  const isOwn = last.agents.length === 1 && last.agents[0] === id;
  if (seen !== null && !isOwn && last.to !== seen) return { digest: seen, undoes: last };
  const undoes = firstOutside(versions) ?? last;
  return undoes.from === undefined ? null : { digest: undoes.from, undoes };
}

/** What came one after the other from outside is one change: in between nobody looked. */
function firstOutside(versions: readonly Version[]): Version | undefined {
  const at = versions.findLastIndex(({ how }) => how !== 'outside');
  return versions[at + 1];
}

/** The newest record at or before `lsn` says how it was; before the first one, what that replaced. */
export function asAt(versions: readonly Version[], lsn: Lsn): UndoWish | null {
  const recorded = versions.filter((one) => one.lsn !== null);
  const at = recorded.findLast((one) => (one.lsn ?? Infinity) <= lsn);
  if (at !== undefined) return { digest: at.to, undoes: null };
  const from = recorded[0]?.from;
  return from === undefined ? null : { digest: from, undoes: null };
}

/** Of this agent or one of its subagents, alone or perhaps. */
export const isBy = ({ agents }: Version, id: AgentId): boolean =>
  agents.some((one) => one === id || one.startsWith(`${id}/`));

/** The agent's changes are the newest ones: what was there before the first of them. Null: they are not, or it made none. */
export function beforeRun(versions: readonly Version[], id: AgentId): UndoWish | null {
  const behind = versions.findLastIndex((one) => !isBy(one, id));
  const first = versions[behind + 1];
  return first?.from === undefined ? null : { digest: first.from, undoes: first };
}

/** Its changes that others built on, newest first: each is to be taken out of what is there. */
export const changesBy = (versions: readonly Version[], id: AgentId): readonly Version[] =>
  versions.filter((one) => isBy(one, id)).toReversed();
