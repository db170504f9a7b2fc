import type { Key } from './ledger.ts';
import type { AgentId, RepoPath } from './types.ts';

/** Keys of the ledger's states. The class before the first `:` is what engines index ranges by. */
export const pathKey = (path: RepoPath): Key => `path:${path}`;
export const agentKey = (agent: AgentId): Key => `agent:${agent}`;
export const waitKey = (agent: AgentId): Key => `wait:${agent}`;

/** Which agents reserve anything, and where: absent while nobody does. */
export const GLOBS = 'globs:';
export const reservedKey = (agent: AgentId): Key => `${GLOBS}${agent}`;

export const PATHS = 'path:';
export const AGENTS = 'agent:';
export const WAITS = 'wait:';

export const pathOfKey = (key: Key): RepoPath => key.slice(PATHS.length);
export const agentOfKey = (key: Key): AgentId => key.slice(key.indexOf(':') + 1);
