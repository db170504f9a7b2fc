/** What a record changed of the visible state, kept as compactly as possible so that any moment can be shown again. */
import { asPathState } from '../core/states.ts';
import { asList, asText } from '../core/json-object.ts';
import { pathOfKey, PATHS } from '../core/keys.ts';
import type { Json, Key, LedgerRecord, Lsn } from '../core/ledger.ts';
import type { AgentId, RepoPath } from '../core/types.ts';

export interface SeenChange {
  readonly lsn: Lsn;
  readonly ts: string;
  readonly type: string;
  readonly agent: AgentId;
  readonly paths: readonly RepoPath[];
  readonly s: Readonly<Record<Key, Json>>;
}

/** Classes of keys that make up a scene. Messages, threads and inboxes are excluded, so their texts are not kept. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['path', 'agent', 'wait', 'globs', 'profile', 'draft', 'machine', 'scope'],
]);

const PATHS_MOST = 8;

export function changeOf({ lsn, ts, type, agent, path, paths, s }: LedgerRecord): SeenChange {
  const kept: Record<Key, Json> = {};
  for (const [key, state] of Object.entries(s))
    if (SHOWN.has(key.slice(0, key.indexOf(':')))) kept[key] = isIdle(key, state) ? null : state;
  const named = [path, ...asList(paths)].map(asText).filter((one) => one !== '');
  const touched =
    named.length > 0
      ? named
      : Object.keys(kept)
          .filter((key) => key.startsWith(PATHS))
          .map(pathOfKey);
  return { lsn, ts, type, agent, paths: touched.slice(0, PATHS_MOST), s: kept };
}

/** Not held, wanted or being written: an earlier write alone does not show which agents are in each other's way. */
function isIdle(key: Key, state: Json): boolean {
  if (!key.startsWith(PATHS)) return false;
  const { holds, queue, intent } = asPathState(state);
  return holds.length === 0 && queue.length === 0 && intent === null;
}
