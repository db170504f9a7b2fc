/** Clients at work in a repository that its ledger does not know: guard's hooks do not run there. */
import { AGENTS } from '../core/keys.ts';
import type { View } from '../core/ledger.ts';
import type { ClientSeen, OtherClient } from '../core/needs/need.ts';
import { asAgentState } from '../core/states.ts';
import type { AgentState, Facts } from '../core/types.ts';
import { runsHookOf } from '../install/host-hooks.ts';
import { clientProcesses, type FoundClient } from '../repo/client-processes.ts';
import type { ClientName } from '../repo/client-programs.ts';
import type { Repo } from '../repo/locate.ts';
import { otherCheckouts, rootInLedger } from '../repo/other-checkouts.ts';
import type { Environment } from '../repo/user-dirs.ts';

/** A session joins while it starts. */
const GRACE_S = 10;

export interface Strangers {
  /** Claude Code. */
  readonly unjoined: readonly ClientSeen[] | null;
  readonly other_clients: readonly OtherClient[] | null;
}

/** Searched before the ledger is read, so that the ledger is not kept waiting. `null` if it cannot be determined. */
export const clientsHere = (repo: Repo): readonly FoundClient[] | null =>
  clientProcesses(rootsOf(repo))?.filter(({ age_s }) => age_s >= GRACE_S) ?? null;

export function strangersAmong(
  clients: readonly FoundClient[] | null,
  view: View,
  { now, machine, machine_boot = now.boot }: Facts,
): Strangers {
  if (clients === null) return { unjoined: null, other_clients: null };
  if (clients.length === 0) return { unjoined: [], other_clients: [] };
  const agents = view.range(AGENTS).flatMap(([, state]) => asAgentState(state) ?? []);
  // Another machine, or an earlier boot, may have a process with the same number.
  const here = agents.flatMap(({ proc }) =>
    proc?.machine === machine && proc.boot === machine_boot ? proc : [],
  );
  const isKnown = ({ pid, start }: FoundClient): boolean =>
    here.some((proc) => proc.pid === pid && proc.start === start);
  const isNameless = (client: ClientName): boolean =>
    agents.some((agent) => isWithoutProcess(agent, client) && agent.boot === now.boot);
  const firsts = clients.filter(({ parent }) => parent === null);
  const unjoined = firsts.filter((one) => one.client === 'claude' && !isKnown(one)).map(withoutClient);
  return {
    // A session is here whose process is not known (clients up to 2.1.100): it may be any of those found.
    unjoined: unjoined.length > 0 && isNameless('claude') ? null : unjoined,
    other_clients: firsts.flatMap((one) => {
      const { client, pid } = one;
      // Its hooks may run in the process that it started itself.
      const all = [one, ...clients.filter(({ parent }) => parent === pid)];
      return client === 'claude' || all.some(isKnown) || isNameless(client)
        ? []
        : [{ client, ...withoutClient(one) }];
    }),
  };
}

/** A live session of this client that does not report its process. */
const isWithoutProcess = ({ kind, proc, live, id }: AgentState, client: ClientName): boolean =>
  kind === 'session' && proc === null && live && id.startsWith(`${client}-`);

const withoutClient = ({ pid, start, cwd, age_s }: FoundClient): ClientSeen => ({
  pid,
  start,
  cwd,
  age_s,
});

/**
 * Only those without a hook of guard: with one, the client may join at its first prompt, which may be hours after its start;
 * whether it runs that hook is up to `guard doctor`.
 */
export const withoutHooks = (
  clients: readonly OtherClient[] | null,
  { root }: Pick<Repo, 'root'>,
  env: Environment,
): readonly OtherClient[] | null => clients?.filter(({ client }) => !runsHookOf(client, root, env)) ?? null;

const CHECKOUTS = 200;

/** The roots of this checkout and all others of its ledger. */
function rootsOf(repo: Repo): readonly string[] {
  const others = otherCheckouts(repo).slice(0, CHECKOUTS);
  return [...new Set([repo.root, ...others.flatMap((id) => rootInLedger(repo, id) ?? [])])];
}
