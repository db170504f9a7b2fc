/** guard's own commands as agents run them in a shell: which speak for the caller, and which need nobody's permission. */

interface OwnCommand {
  /**
   * Whom it acts for can be said with `--agent`: behind its own name, or behind that of its subcommand (only of the listed
   * ones, where there is a list). Absent: it acts for nobody, or `--agent` means something else.
   */
  readonly speaks?: 'itself' | 'below' | readonly string[];
  /** Acts for the caller alone, or looks: `guard init` lets agents run it without asking. */
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
  // The others look at everybody's.
  agent: { speaks: ['draft', 'run', 'await', 'kill', 'send', 'merge', 'discard', 'prune'] },
  worktree: { speaks: ['add'] },
};
