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
import { pushes } from '../../git/pushes.ts';
import type { Command } from './command.ts';
import { patientUntil } from './patience.ts';
import { lineOnlyLooks } from './quick.ts';

/** Null if there is no objection. It objects to a loss once, because the objection itself informs the agent. */
export function checkPush(hook: Hook, agent: AgentState | undefined, command: Command): HookOutput | null {
  if (!mayRunGit(command)) return null;
  const { home, who } = hook;
  const unasked = unaskedOn(home, who.id);
  const isLost =
    agent?.revoked?.some(({ cause }) => cause === 'away') || home.named?.hasTold?.('revoked.told');
  if ((unasked.length === 0 && !isLost) || !isPush(hook, command)) return null;
  if (unasked.length > 0) return denyFor([pushUnasked(command.cwd, unasked)]);
  const lost = home.run({ type: 'revoked.told', who });
  if (lost.length === 0) return null;
  return denyFor([pushOverOthers(command.cwd, lost)]);
}

const unaskedOn = ({ store, state_dir }: HookSpace, id: AgentId): readonly RepoPath[] =>
  store.supports.shared ? unaskedWrites(state_dir, (agent) => agent === id) : [];

/** Most lines do not, and need not wait for what is in `late/` to be read. */
function mayRunGit(command: Command): boolean {
  if (lineOnlyLooks(command.line)) return false;
  const { git, unresolved } = command.effects();
  return git.length + unresolved.length > 0;
}

/** What cannot be parsed is matched as text. */
function isPush(hook: Hook, command: Command): boolean {
  const { git, unresolved } = command.effects();
  const asking = { env: hook.env, until_ms: patientUntil(hook) };
  const texts = unresolved.map(({ reason, source }) => (reason === 'syntax' ? command.line : source));
  return git.some((call) => pushes(call, asking)) || texts.some((text) => /\bgit\b.*\bpush\b/s.test(text));
}
