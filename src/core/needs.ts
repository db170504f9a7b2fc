/** What an agent that is over wants of somebody. */

/** What a person has to do before its work is whole: answer, or allow. */
export interface Needs {
  readonly questions: readonly string[];
  readonly denials: readonly RefusedTool[];
}

/** Calls that its role does not allow, and nobody was there to allow. */
export interface RefusedTool {
  readonly tool: string;
  /** The permission rule that would have let them through. */
  readonly rule: string;
  readonly count: number;
}
