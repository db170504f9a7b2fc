/** A change that no guarded write explains, as records have it. */
import type { Lsn } from './ledger.ts';
import type { AgentId, Digest, RepoPath } from './ids.ts';

/**
 * `parsed`: a command that ran then names the file as its target. `suspected`: one agent's command ran then, and nobody
 * else's. `ambiguous`: commands of several. `outside`: no agent's command was open.
 */
type Certainty = 'parsed' | 'suspected' | 'ambiguous' | 'outside';

export interface Author {
  readonly author: Certainty;
  /** Everybody whose command may have done it; empty for `outside`. */
  readonly agents: readonly AgentId[];
}

/** The newest drift of a path, in `path:<RepoPath>`. */
export interface Drift extends Author {
  readonly digest: Digest | null;
  readonly lsn: Lsn;
}

/** A drift that an agent has not been told of, in `agent:<id>`. */
export interface Drifted extends Author {
  readonly path: RepoPath;
  /** What was there before; null: no file, or nobody knows. */
  readonly from: Digest | null;
  readonly to: Digest | null;
  readonly wall_ms: number;
  /** The agent holds it. Absent: it wrote what is gone. */
  readonly held?: true;
}
