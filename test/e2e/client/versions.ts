/** Which client has what; the tests that need it say so, and the others are skipped by name. */

/** Since which version. */
export const SINCE = {
  /** stream-json names the hooks that ran (`--include-hook-events`). */
  hook_events: '2.1.0',
  /** An event name that the client does not know does not make the whole settings file void. */
  unknown_events: '2.1.200',
  /** Hooks and commands are told which agent of a session they serve. */
  agent_ids: '2.1.100',
  /** SubagentStart, from which on a subagent counts and is told how to lock. */
  subagent_start: '2.1.200',
  /** A command is told the session that it runs in. */
  session_in_commands: '2.1.200',
  /** A message that is typed in mid-turn fires UserPromptSubmit; before, it is only merged into the turn. */
  second_prompt: '2.1.300',
  /** The client merges an Edit into a file that changed since it was read. */
  merged_edits: '2.1.300',
  /** Stop and SubagentStop name the commands in the background. */
  background_tasks: '2.1.200',
  /** A command that goes on in the background after its timeout says so in its answer (`timedOutAfterMs`). */
  timed_out_after: '2.1.300',
  /** A subagent whose command in the background ends starts again. */
  restarted_subagents: '2.1.300',
  /** UserPromptSubmit comes before the shell lines of a slash command run; before, after them. */
  prompt_before_lines: '2.1.300',
  /** Permission mode `auto`; offline, with what needs no judgement: reading, `sed -i` in the working directory. */
  auto_mode: '2.1.300',
} as const;

export type Feature = keyof typeof SINCE;

/** By numbers, part by part; what follows a hyphen does not count. */
export function isAtLeast(version: string, since: string): boolean {
  const [mine, theirs] = [version, since].map((one) => one.split('-')[0]?.split('.').map(Number) ?? []);
  for (const [index, part] of (theirs ?? []).entries()) {
    const own = mine?.[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
