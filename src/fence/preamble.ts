/** The line with which every Bash call of a session begins. Pure. */
import type { AgentId } from '../core/types.ts';
import type { FenceMode, Helper } from './site.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export interface Preamble {
  /** guard's own `fence/` directory. */
  readonly home: string;
  readonly dir: string;
  readonly main: AgentId;
  readonly helper: Helper;
  readonly mode: FenceMode;
}

/**
 * Sources one of guard's files if it exists: the client keeps this text while it runs and uses it again in a resumed
 * session, when guard may be gone. An error in the line itself would stop every command (docs/fence.md). Null: a name
 * cannot be passed to a shell.
 */
export function preambleOf({ home, dir, main, helper, mode }: Preamble): string | null {
  const variables = {
    GUARD_FENCE_AT: dir,
    GUARD_FENCE_OF: main,
    GUARD_FENCE_BY: helper.program,
    GUARD_FENCE_HELPER: helper.file,
    GUARD_FENCE_MODE: mode,
  };
  const file = quoted(`${home}/pre.sh`);
  const sets = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
  const line = `${sets.join(' ')}; [ -r ${file} ] && . ${file}; :\n`;
  return line.includes('\0') ? null : line;
}
