/** Which agent this process speaks for, looked up in a ledger. */
import { agentKey } from '../core/keys.ts';
import { identify } from '../core/rules/identity.ts';
import type { Identity } from '../core/rules/identity.ts';
import type { Json, Key } from '../core/ledger.ts';
import type { AgentId, Facts, ProcessMark } from '../core/types.ts';
import { markProcess } from '../repo/process.ts';

/** Answers states by key; asked for all keys at once. */
export interface States {
  at(keys: readonly Key[]): (key: Key) => Json | undefined;
}

export function identityIn(
  states: States,
  base: AgentId,
  proc: ProcessMark | null,
  facts: Pick<Facts, 'now' | 'isDead'>,
): Identity {
  let keys = [agentKey(base)];
  for (;;) {
    const asked = new Set(keys);
    const found = identify({ has: (key) => asked.has(key), get: states.at(keys) }, base, proc, facts);
    if (!('need' in found)) return found;
    keys = [...keys, ...found.need];
  }
}

/** The client's process: the only pid whose end says that the agent is gone. Absent in clients up to 2.1.100. */
export function processOf(env: NodeJS.ProcessEnv): ProcessMark | null {
  const pid = Number(env['CLAUDE_PID']);
  return Number.isSafeInteger(pid) && pid > 1 ? markProcess(pid) : null;
}
