/** Logs of ended agents to remove, by age and size, including those of agents that the ledger has forgotten. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { type DraftState, isOver } from '../core/drafts.ts';
import { namesIn } from '../repo/names-in.ts';
import { agentFiles } from './agent-files.ts';
import { allDrafts, type HarnessWorkspace } from './workspace.ts';

export interface PruneLimits {
  /** Logs of agents that ended before this are removed. */
  readonly before_wall_ms: number;
  /** Beyond this many bytes of logs, the oldest are removed, too. */
  readonly max_bytes: number;
}

export interface OldLog {
  readonly agentId: string;
  /** For an agent that the ledger has forgotten: when a file there was last written. */
  readonly endedAt: number;
  readonly bytes: number;
}

export const KEEP_BYTES = 2 * 1024 ** 3;
/** An agent's files are on disk before the ledger knows the agent. */
const NEW_MS = 86_400_000;
const ID = 'claude-';
const SESSION = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function prunableLogs(
  space: HarnessWorkspace,
  { before_wall_ms, max_bytes }: PruneLimits,
): readonly OldLog[] {
  const drafts = allDrafts(space);
  // Without its log it cannot be resumed, and those that come after it would wait for nothing.
  const awaited = new Set(
    drafts.flatMap(({ status, queued }) => (status === 'queued' ? (queued?.after ?? []) : [])),
  );
  const over = drafts
    .filter((draft) => isOver(draft) && !awaited.has(draft.id))
    .map((draft) => ({ draft, bytes: bytesOf(dirOf(space, draft)) }))
    .filter(({ bytes }) => bytes !== null)
    .map(({ draft, bytes }) => ({ agentId: draft.id, endedAt: draft.ended_wall_ms ?? 0, bytes: bytes ?? 0 }));
  const logs = [...over, ...forgotten(space, drafts)].sort((a, b) => b.endedAt - a.endedAt);
  let sum = 0;
  return logs.filter(({ endedAt, bytes }) => {
    sum += bytes;
    return endedAt < before_wall_ms || sum > max_bytes;
  });
}

const dirOf = ({ repo }: HarnessWorkspace, { session }: Pick<DraftState, 'session'>): string =>
  agentFiles(repo.state_dir, session).dir;

/** `null` if there is nothing. */
function bytesOf(dir: string): number | null {
  if (!existsSync(dir)) return null;
  return namesIn(dir).reduce((sum, name) => sum + attempt(() => statSync(join(dir, name)).size, 0), 0);
}

/** Directories of agents that the ledger does not know. */
function forgotten(space: HarnessWorkspace, drafts: readonly DraftState[]): readonly OldLog[] {
  const known = new Set(drafts.map(({ session }) => session));
  const { wall_ms } = space.facts().now;
  const entries = attempt(
    () => readdirSync(join(space.repo.state_dir, 'agents'), { withFileTypes: true }),
    [],
  );
  return entries
    .filter((entry) => entry.isDirectory() && SESSION.test(entry.name) && !known.has(entry.name))
    .map(({ name: session }) => {
      const dir = dirOf(space, { session });
      return { agentId: `${ID}${session}`, endedAt: lastWritten(dir), bytes: bytesOf(dir) ?? 0 };
    })
    .filter(({ endedAt }) => endedAt < wall_ms - NEW_MS);
}

const lastWritten = (dir: string): number =>
  ['.', ...namesIn(dir)].reduce(
    (last, name) =>
      Math.max(
        last,
        attempt(() => statSync(join(dir, name)).mtimeMs, 0),
      ),
    0,
  );

export function removeLogs(space: HarnessWorkspace, logs: readonly OldLog[]): void {
  const drafts = new Map(allDrafts(space).map((draft) => [draft.id, draft]));
  for (const { agentId } of logs) {
    const draft = drafts.get(agentId);
    // It may have been resumed by a message in the meantime.
    if (draft !== undefined && !isOver(draft)) continue;
    const session = draft?.session ?? agentId.slice(ID.length);
    rmSync(dirOf(space, { session }), { recursive: true, force: true });
  }
}
