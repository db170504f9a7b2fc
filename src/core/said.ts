/** A message to a drafted agent. */
import type { AgentId } from './types.ts';

/** `by` is `null` for the task it was started with. */
export interface Said {
  /** A UUID, with which its client acknowledges the message. */
  readonly id: string;
  readonly by: AgentId | null;
  readonly text: string;
  /** A run was started with it. Only once, so that a client that acknowledges nothing is not restarted forever. */
  readonly is_given?: true;
}
