/** What an ended agent needs from a person. */

/** What a person must do before the agent's work is complete: answer questions or allow calls. */
export interface Needs {
  readonly questions: readonly string[];
  readonly denials: readonly RefusedTool[];
}

/** Calls that its role does not allow and that no one was present to allow. */
export interface RefusedTool {
  readonly tool: string;
  /** The permission rule that would have allowed them. */
  readonly rule: string;
  readonly count: number;
}
