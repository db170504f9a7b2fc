/** Looks up in a ledger which agent this process speaks for. */
import { identify, type ProcessIdentity } from '../core/rules/identity.ts';
import type { Json, Key } from '../core/ledger.ts';
import type { PidPlace } from '../core/same-process.ts';
import type { AgentId, Facts, ProcessMark } from '../core/types.ts';
import { markProcess } from '../repo/process.ts';

/** Looks up states by key. */
export interface StateLookup {
  get(keys: readonly Key[]): (key: Key) => Json | undefined;
}

export function identityIn(
  states: StateLookup,
  base: AgentId,
  proc: ProcessMark | null,
  facts: Pick<Facts, 'now' | 'isDead' | 'machine' | 'machine_boot'>,
): ProcessIdentity {
  // Machines that share a ledger have other names in it than their own.
  const named = proc && facts.machine_boot !== undefined ? { ...proc, machine: facts.machine } : proc;
  return identify({ get: (key) => states.get([key])(key) }, base, named, facts);
}

/** The client's process: the only pid whose end shows that the agent is gone. Absent in clients up to 2.1.100. */
export function processOf(env: NodeJS.ProcessEnv, place?: () => PidPlace): ProcessMark | null {
  const pid = Number(env['CLAUDE_PID']);
  return Number.isSafeInteger(pid) && pid > 1 ? markProcess(pid, place) : null;
}
