/** What somebody said to a drafted agent. */
import type { AgentId } from './types.ts';

/** `by` null: what it was started for. */
export interface Said {
  /** A UUID: its client tells by it what it has heard. */
  readonly id: string;
  readonly by: AgentId | null;
  readonly text: string;
  /** A run was begun with it. Once is enough: a client that hears nothing is not started for ever. */
  readonly is_given?: true;
}
