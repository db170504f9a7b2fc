/**
 * Which agent's command line started this process. guard's hook adds a mark to the command line (src/claude/shell/mark.ts),
 * which is found in the script text of the shells above. However the call is spelled, and through however many scripts, the
 * shell that the client started has it. A process that left its shell behind has no mark, and then no claim is believed.
 */
import { readFileSync } from 'node:fs';
import { markSeal } from '../claude/shell/mark.ts';
import { ancestorsOf } from '../harness/processes.ts';
import { readKey } from '../repo/key.ts';
import { runForOutput } from '../repo/output-of.ts';
import type { AgentId } from '../core/types.ts';
import type { Environment } from '../repo/user-dirs.ts';

/** Script texts of the processes above this one, nearest first, up to the client. */
export function textsAbove(env: Environment): readonly string[] {
  const pids = ancestorsOf(process.pid);
  const client = pids.indexOf(Number(env['CLAUDE_PID']));
  return (client === -1 ? pids : pids.slice(0, client)).map(commandLineOf);
}

function commandLineOf(pid: number): string {
  if (process.platform !== 'linux')
    return runForOutput('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)]) ?? '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

const MARK = '# guard:';
const FORM = /^# guard:([\w@.:~+/-]{1,220}) ([0-9a-f]{8})/;

/** The last mark of each text: guard's own comes after everything that an agent wrote. */
function marksIn(texts: readonly string[]): { readonly name: string; readonly seal: string }[] {
  return texts.flatMap((text) => {
    const at = text.lastIndexOf(MARK);
    const [, name, seal] = (at === -1 ? null : FORM.exec(text.slice(at, at + 240))) ?? [];
    return name === undefined || seal === undefined ? [] : [{ name, seal }];
  });
}

/**
 * The mark as a fenced session's preamble passed it on (fence/pre.sh), for a guard that no longer has a shell above it.
 * Tried last: an agent that copies a sibling's mark there could just as well put it into a shell (docs/decisions/128).
 */
function handedDown(main: AgentId | null, env: Environment): ReturnType<typeof marksIn> {
  return main === null ? [] : marksIn([`${MARK}${env['GUARD_MARK'] ?? ''}`]);
}

/**
 * The mark closest to the client counts: that shell is the one the hook marked, and anything that an agent copied from the
 * process list into its own shell is below it. `null` if no mark is genuine.
 * @param main main agent of the session that the environment names; `null` if it names none
 */
export function markedAgent(main: AgentId | null, env: Environment, texts = textsAbove): AgentId | null {
  const marks = [...marksIn(texts(env)).reverse(), ...handedDown(main, env)];
  const key = marks.length === 0 ? null : readKey(env);
  if (key === null) return null;
  for (const { name, seal } of marks) {
    const meant = main === null ? [name] : [...(name === 'main' ? [main] : []), `${main}/${name}`];
    const found = meant.find((agent) => markSeal(key, agent) === seal);
    if (found !== undefined) return found;
  }
  return null;
}
