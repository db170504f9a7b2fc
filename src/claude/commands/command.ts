/** A Bash call: its line without guard's mark, and its effects, which are computed on first use. */
import { readLine } from '../../shell/read-line.ts';
import { type Effects, NO_EFFECTS } from '../../shell/effects.ts';
import { homeOf } from '../../repo/user-dirs.ts';
import { asText } from '../input.ts';
import type { Hook } from '../context.ts';
import { lookAtDisk } from './look.ts';

export interface Command {
  readonly line: string;
  readonly cwd: string;
  readonly in_background: boolean;
  effects(): Effects;
  /** The result of `effects`; undefined if it has not been called yet. */
  known(): Effects | undefined;
}

export function commandOf({ input, env }: Hook): Command {
  const line = unmarked(asText(input.tool_input['command']));
  const start = { cwd: input.cwd, home: homeOf(env), env, look: lookAtDisk() };
  let known: Effects | undefined;
  return {
    line,
    cwd: input.cwd,
    in_background: input.tool_input['run_in_background'] === true,
    // guard does not parse PowerShell: its writes are noticed afterwards.
    effects: () => (known ??= input.tool === 'PowerShell' ? NO_EFFECTS : readLine(line, start)),
    known: () => known,
  };
}

/** The command that PostToolUse reports has the mark (claude/shell/mark.ts) in its last line. */
export const unmarked = (line: string): string => line.replace(/\n# guard:[^\n]*$/, '');
