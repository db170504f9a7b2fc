/** Which content of a file an undo restores. */
import type { Lsn } from './ledger.ts';
import type { AgentId, Digest } from './types.ts';
import type { Version } from './versions.ts';

/** `digest` is `null` if there was no file. */
export interface UndoWish {
  readonly digest: Digest | null;
  /** The change to undo; `null` for `as it was at`. */
  readonly undoes: Version | null;
}

export interface Asker {
  readonly id: AgentId;
  /** The content it last saw or wrote; `null` if there is none, or it is a person. */
  readonly seen: Digest | null;
}

/**
 * The content before the newest change. If another author changed the file since the agent's last look, the content
 * that the agent last wrote or saw. `null` if nothing is known that could be undone.
 */
export function beforeLast(versions: readonly Version[], { id, seen }: Asker): UndoWish | null {
  const last = versions.at(-1);
  if (last === undefined) return null;
  const isOwn = last.agents.length === 1 && last.agents[0] === id;
  if (seen !== null && !isOwn && last.to !== seen) return { digest: seen, undoes: last };
  const undoes = firstOutside(versions) ?? last;
  return undoes.from === undefined ? null : { digest: undoes.from, undoes };
}

/** Consecutive outside changes count as one, because no one looked in between. */
function firstOutside(versions: readonly Version[]): Version | undefined {
  const at = versions.findLastIndex(({ how }) => how !== 'outside');
  return versions[at + 1];
}

/** The newest record at or before `lsn` decides; before the first record, the content that one replaced. */
export function asAt(versions: readonly Version[], lsn: Lsn): UndoWish | null {
  const recorded = versions.filter((one) => one.lsn !== null);
  const at = recorded.findLast((one) => (one.lsn ?? Infinity) <= lsn);
  if (at !== undefined) return { digest: at.to, undoes: null };
  const from = recorded[0]?.from;
  return from === undefined ? null : { digest: from, undoes: null };
}

/** By this agent or one of its subagents, alone or possibly. */
export const isBy = ({ agents }: Version, id: AgentId): boolean =>
  agents.some((one) => one === id || one.startsWith(`${id}/`));

/** The content before the first of the newest changes, if these are the agent's; `null` if not, or it made none. */
export function beforeRun(versions: readonly Version[], id: AgentId): UndoWish | null {
  const behind = versions.findLastIndex((one) => !isBy(one, id));
  const first = versions[behind + 1];
  return first?.from === undefined ? null : { digest: first.from, undoes: first };
}

/** The agent's changes, newest first, that others built on: each is to be removed from the present content. */
export const changesBy = (versions: readonly Version[], id: AgentId): readonly Version[] =>
  versions.filter((one) => isBy(one, id)).toReversed();
