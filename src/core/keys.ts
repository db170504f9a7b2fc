import type { Key } from './ledger.ts';
import type { AgentId, RepoPath } from './types.ts';

/** Keys of the ledger's states. The class before the first `:` is what engines index ranges by. */
export const pathKey = (path: RepoPath): Key => `path:${path}`;
export const agentKey = (agent: AgentId): Key => `agent:${agent}`;
export const waitKey = (agent: AgentId): Key => `wait:${agent}`;

/** Which agents reserve anything, and where, as far as it has room: absent while nobody does. */
export const GLOBS = 'globs:';
/** Stands in `globs:` for all agents that it does not list. No agent is called this. */
export const UNLISTED: AgentId = '*';
export const reservedKey = (agent: AgentId): Key => `${GLOBS}${agent}`;

/**
 * Index keys: what an agent holds, since it last let go of everything. One stands for each hold in the state of its path,
 * for as long as that does. What is before the first `:` is their class, so that a listing reads no other agent's.
 */
export const leasesBelow = (agent: AgentId, epoch: number): Key => `held/${epoch}.${agent.length}/${agent}:`;

/** Of an engine that machines share. */
export const machineKey = (machine: string): Key => `machine:${machine}`;
/** Index keys: which agents live on a machine. */
export const agentsOn = (machine: string): Key => `on/${machine.length}/${machine}:`;

export const PATHS = 'path:';
export const AGENTS = 'agent:';
export const WAITS = 'wait:';

export const pathOfKey = (key: Key): RepoPath => key.slice(PATHS.length);
export const agentOfKey = (key: Key): AgentId => key.slice(key.indexOf(':') + 1);
