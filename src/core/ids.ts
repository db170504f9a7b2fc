/** Identifiers of agents, files and contents: an id, a path in its checkout, a SHA-256. */
export type AgentId = string;
export type RepoPath = string;
export type Digest = string;
