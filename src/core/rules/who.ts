/** The agent an event is about, as the shell determined it. */
import type { AgentId, AgentState } from '../types.ts';

export interface Who extends Pick<AgentState, 'id' | 'kind' | 'parent' | 'session' | 'proc'> {
  /** A fork, or a second process on one session: its knowledge of files is another agent's. */
  readonly inherited?: boolean;
  /** Set if the ledger could not be asked which of a session's agents this is: the name of the first one. */
  readonly one_of?: AgentId;
}
