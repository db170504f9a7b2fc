/** Who an event is about, as the shell found it. */
import type { AgentState } from '../types.ts';

export interface Who extends Pick<AgentState, 'id' | 'kind' | 'parent' | 'session' | 'proc'> {
  /** A fork, or a second process on one session: what it knows of files is another agent's knowledge. */
  readonly inherited?: boolean;
}
