// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Reports the writes that a subagent made despite a refusal to the agent that started it. */
import { plain } from '../../core/plain.ts';
import type { AgentState } from '../../core/types.ts';
import type { HookSpace } from '../context.ts';

const SHOWN = 5;

export function bypassesOf({ facts }: HookSpace, subagent: string, state: AgentState | undefined): string {
  const paths = state?.bypassed?.turn === state?.turn ? (state?.bypassed?.paths ?? []) : [];
  if (paths.length === 0) return '';
  const names = paths.slice(0, SHOWN).map((path) => JSON.stringify(plain(path)));
  const more = paths.length > SHOWN ? `, and ${paths.length - SHOWN} more` : '';
  const log = `${facts().guard_command} log --type bypass --agent ${subagent}`;
  return `guard refused subagent ${subagent} to write ${names.join(', ')}${more}, but its commands changed that anyway; look at it before you continue. Details: ${log}`;
}
