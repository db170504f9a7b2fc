/** Environment variables that clients set for their child processes; innermost client first, as far as they show it. */
export const HOST_VARIABLES = [
  ['copilot', ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID']],
  ['codex', ['CODEX_THREAD_ID', 'CODEX_SESSION_ID']],
  ['qwen', ['QWEN_CODE_SESSION_ID', 'QWEN_CODE_AGENT_ID']],
  ['opencode', ['OPENCODE']],
  ['gemini', ['GEMINI_CLI', 'GEMINI_SESSION_ID']],
  ['claude', ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_SESSION_ID']],
] as const;

export type MarkedHost = (typeof HOST_VARIABLES)[number][0];

/** `null` if no known client started this process. */
export function hostIn(env: Readonly<Record<string, string | undefined>>): MarkedHost | null {
  return HOST_VARIABLES.find(([, names]) => names.some((name) => (env[name] ?? '') !== ''))?.[0] ?? null;
}
