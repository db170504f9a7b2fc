import type { Key } from './ledger.ts';
import type { AgentId, RepoPath } from './types.ts';

/** Keys of the ledger's states. Engines index ranges by the class, which is the part before the first `:`. */
export const pathKey = (path: RepoPath): Key => `path:${path}`;
export const agentKey = (agent: AgentId): Key => `agent:${agent}`;
export const waitKey = (agent: AgentId): Key => `wait:${agent}`;

/** The agents that have reservations, and where, as far as they fit; absent if there are none. */
export const GLOBS = 'globs:';
/** Represents in `globs:` all agents that it does not list. No agent has this id. */
export const UNLISTED: AgentId = '*';
export const reservedKey = (agent: AgentId): Key => `${GLOBS}${agent}`;

/**
 * Index keys: what an agent has taken since it last released everything. Each hold in a path's state has one, for as long
 * as the hold exists. The part before the first `:` is their class, so a listing reads no other agent's keys.
 */
export const leasesBelow = (agent: AgentId, epoch: number): Key => `held/${epoch}.${agent.length}/${agent}:`;

/** For an engine that machines share. */
export const machineKey = (machine: string): Key => `machine:${machine}`;
/** Index keys: the agents that live on a machine. */
export const agentsOn = (machine: string): Key => `on/${machine.length}/${machine}:`;

export const PATHS = 'path:';
export const AGENTS = 'agent:';
export const WAITS = 'wait:';

export const pathOfKey = (key: Key): RepoPath => key.slice(PATHS.length);
export const agentOfKey = (key: Key): AgentId => key.slice(key.indexOf(':') + 1);
