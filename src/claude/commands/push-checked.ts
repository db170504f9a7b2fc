// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Before a push: an agent that wrote under a lease that had ended, and does not know it yet, is informed. While the engine
 * of a shared ledger is away, nobody knows whether the leases of what it wrote meanwhile had ended, so the push waits.
 */
import { pushOverOthers, pushUnasked } from '../../core/push-words.ts';
import type { AgentId, AgentState, RepoPath } from '../../core/types.ts';
import { unaskedWrites } from '../../store/late/unasked-writes.ts';
import { denyFor, type HookOutput } from '../output.ts';
import type { Hook, HookSpace } from '../context.ts';
import { commandsOf } from '../shell/command-line.ts';
import type { Command } from './command.ts';

/** Null if there is no objection. It objects to a loss once, because the objection itself informs the agent. */
export function checkPush(hook: Hook, agent: AgentState | undefined, command: Command): HookOutput | null {
  const { home, who } = hook;
  const unasked = isPush(command.line) ? unaskedOn(home, who.id) : [];
  if (unasked.length > 0) return denyFor([pushUnasked(command.cwd, unasked)]);
  const isLost =
    agent?.revoked?.some(({ cause }) => cause === 'away') || home.named?.hasTold?.('revoked.told');
  if (!isLost || !isPush(command.line)) return null;
  const lost = home.run({ type: 'revoked.told', who });
  if (lost.length === 0) return null;
  return denyFor([pushOverOthers(command.cwd, lost)]);
}

const unaskedOn = ({ store, state_dir }: HookSpace, id: AgentId): readonly RepoPath[] =>
  store.supports.shared ? unaskedWrites(state_dir, id) : [];

/** A line that cannot be parsed is matched as text. */
function isPush(line: string): boolean {
  const words = commandsOf(line)?.commands.map((command) => command.map(({ value }) => value).join(' '));
  return (words ?? [line]).some((text) => /\bgit\b.*\bpush\b/.test(text));
}
