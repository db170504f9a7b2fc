/** guard's own commands as agents run them in a shell: which ones act for the caller, and which need no permission. */

interface OwnCommand {
  /**
   * Where `--agent` may name the agent it acts for: after the command's own name, or after its subcommand's (only for
   * the listed ones, if there is a list). Absent: it acts for no agent, or `--agent` means something else.
   */
  readonly speaks?: 'itself' | 'below' | readonly string[];
  /** It acts only for the caller or only looks: `guard init` lets agents run it without asking. */
  readonly is_free?: true;
}

export const OWN_COMMANDS: Readonly<Record<string, OwnCommand>> = {
  lock: { speaks: 'below', is_free: true },
  status: { is_free: true },
  deadlock: { is_free: true },
  log: { is_free: true },
  reserve: { speaks: 'itself', is_free: true },
  unreserve: { speaks: 'itself', is_free: true },
  reservations: { speaks: 'itself', is_free: true },
  conflicts: { speaks: 'itself', is_free: true },
  message: { speaks: 'below', is_free: true },
  negotiate: { speaks: 'below', is_free: true },
  agents: { speaks: 'itself', is_free: true },
  join: { speaks: 'itself', is_free: true },
  leave: { speaks: 'itself', is_free: true },
  // The other subcommands look at all agents' data.
  agent: { speaks: ['draft', 'run', 'await', 'kill', 'send', 'merge', 'discard', 'prune'] },
  worktree: { speaks: ['add'] },
};
