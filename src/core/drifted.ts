/** A change that no guarded write explains, as stored in records. */
import type { Lsn } from './ledger.ts';
import type { AgentId, Digest, RepoPath } from './ids.ts';

/**
 * `parsed`: a command that ran then names the file as its target. `suspected`: only one agent's command ran then.
 * `ambiguous`: commands of several agents ran. `outside`: no agent's command was open.
 */
type Certainty = 'parsed' | 'suspected' | 'ambiguous' | 'outside';

export interface Author {
  readonly author: Certainty;
  /** Every agent whose command may have made the change; empty for `outside`. */
  readonly agents: readonly AgentId[];
}

/** The newest drift of a path, in `path:<RepoPath>`. */
export interface Drift extends Author {
  readonly digest: Digest | null;
  readonly lsn: Lsn;
}

/** Drift that an agent has not been notified of, in `agent:<id>`. */
export interface Drifted extends Author {
  readonly path: RepoPath;
  /** The previous content; `null` if there was no file or it is unknown. */
  readonly from: Digest | null;
  readonly to: Digest | null;
  readonly wall_ms: number;
  /** The agent holds the file. Absent: the agent wrote the content that was replaced. */
  readonly held?: true;
}
