/** Which client has which feature. Tests name the features they need, and are skipped by name on other clients. */

/** The first version with each feature. */
export const SINCE = {
  /** stream-json names the hooks that ran (`--include-hook-events`). */
  hook_events: '2.1.0',
  /** An unknown event name does not invalidate the whole settings file. */
  unknown_events: '2.1.200',
  /** Hooks and commands are told which agent of a session they serve. */
  agent_ids: '2.1.100',
  /** SubagentStart exists, so a subagent counts from its start and is told how to lock. */
  subagent_start: '2.1.200',
  /** A command is told its session. */
  session_in_commands: '2.1.200',
  /** A message typed mid-turn fires UserPromptSubmit; earlier clients only merge it into the turn. */
  second_prompt: '2.1.300',
  /** The client merges an Edit into a file that changed since it was read. */
  merged_edits: '2.1.300',
  /** Stop and SubagentStop name the background commands. */
  background_tasks: '2.1.200',
  /** A command moved to the background by its timeout says so in its answer (`timedOutAfterMs`). */
  timed_out_after: '2.1.300',
  /** A subagent starts again when its background command ends. */
  restarted_subagents: '2.1.300',
  /** UserPromptSubmit comes before the shell lines of a slash command; in earlier clients, after them. */
  prompt_before_lines: '2.1.300',
  /** Permission mode `auto`; offline, only for what needs no judge: reading, `sed -i` in the working directory. */
  auto_mode: '2.1.300',
} as const;

export type Feature = keyof typeof SINCE;

/** Compares the numbers part by part; a suffix after a hyphen does not count. */
export function isAtLeast(version: string, since: string): boolean {
  const [mine, theirs] = [version, since].map((one) => one.split('-')[0]?.split('.').map(Number) ?? []);
  for (const [index, part] of (theirs ?? []).entries()) {
    const own = mine?.[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
