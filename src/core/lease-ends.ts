// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Which leases a set of records ends, for callers that keep an engine's answers. */
import { AGENTS, agentKey, machineKey, pathKey, PATHS } from './keys.ts';
import { SCOPE } from './lease-scope.ts';
import type { Json, Key } from './ledger.ts';
import { asMachine } from './machines.ts';
import { asAgentState, asPathState } from './states.ts';
import type { AgentId, RepoPath } from './types.ts';

/** The changed keys that may end a lease that existed before. */
export function endsBy(
  changed: Iterable<readonly [Key, Json]>,
  before: (key: Key) => Json | undefined,
): readonly Key[] {
  return [...changed].filter(([key, state]) => mayEnd(key, before(key), state)).map(([key]) => key);
}

function mayEnd(key: Key, before: Json | undefined, after: Json): boolean {
  if (key.startsWith(PATHS)) {
    const left = asPathState(after).holds.map(({ token }) => token);
    return asPathState(before).holds.some(({ token }) => !left.includes(token));
  }
  if (key.startsWith(AGENTS)) {
    const [old, now] = [asAgentState(before), asAgentState(after)];
    if (old === undefined) return false;
    const isSame = old.epoch === now?.epoch && old.machine?.epoch === now.machine?.epoch;
    return !isSame || !now.live || now.turn_over !== undefined;
  }
  if (!key.startsWith(machineKey(''))) return key === SCOPE;
  const [old, now] = [asMachine(before), asMachine(after)];
  return old !== undefined && (old.epoch !== now?.epoch || now.until_mono_ms < old.until_mono_ms);
}

/** The keys whose change may end this lease. */
export const endingKeys = (lease: {
  readonly path: RepoPath;
  readonly holder: AgentId;
  readonly parent: AgentId | null;
  readonly machine: string;
}): readonly Key[] => [
  pathKey(lease.path),
  agentKey(lease.holder),
  ...(lease.parent === null ? [] : [agentKey(lease.parent)]),
  machineKey(lease.machine),
  SCOPE,
];
