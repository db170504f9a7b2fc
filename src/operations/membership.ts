/** Joining, describing oneself, and leaving. */
import { statusOf, type StatusReport } from '../core/report.ts';
import { consult } from '../store/transact.ts';
import { type Agent, agentsAskedFor, agentsHere, LIST_AGENTS } from './agents.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import { type InputOf, label, listOf, optional, text } from './field.ts';
import { operation } from './operation.ts';
import { Refused } from './refused.ts';

const NAME = [/^[\w.-]{1,64}$/, 'letters, digits and any of "_ . -", at most 64'] as const;
const STATUS_CHARS = 200;
const CAPABILITY_CHARS = 64;
const CAPABILITIES_MAX = 32;

/** What an agent may say about itself; fields it leaves out are unchanged. */
const SELF = {
  name: optional(text('Unique among the agents here', { form: NAME })),
  capabilities: optional(listOf('What it can do', label('', CAPABILITY_CHARS), { max: CAPABILITIES_MAX })),
  status: optional(text('', { max_chars: STATUS_CHARS, cut: true })),
};

/** Also a sign of life. @throws Refused NAME_TAKEN */
function describeSelf(self: InputOf<typeof SELF>, { who, run }: CallerWorkspace): void {
  const said = Object.fromEntries(Object.entries(self).filter(([, value]) => value !== undefined));
  if (!run({ type: 'agent.describe', who, ...said }))
    throw new Refused('NAME_TAKEN', `Another agent is called ${self.name ?? ''}.`, 'Choose another name.');
}

/** Lists the agents here, after updating the caller's own description if any is given. */
export const TELL_AND_LIST = operation('agents', { ...SELF, ...LIST_AGENTS.fields }, (input, space) => {
  const { name, capabilities, status } = input;
  if ([name, capabilities, status].some((said) => said !== undefined))
    describeSelf({ name, capabilities, status }, space);
  return { agents: agentsAskedFor(input, space) };
});

export interface AgentWithHolds extends Agent {
  /** Locked files. */
  readonly files: readonly string[];
  readonly reservations: readonly { readonly id: string; readonly path_pattern: string }[];
}

/** For an operation that made the caller present. @throws Refused GONE */
function selfAmong(here: readonly Agent[], { who }: CallerWorkspace): Agent {
  const self = here.find(({ agent_id }) => agent_id === who.id);
  if (self !== undefined) return self;
  throw new Refused('GONE', `${who.id} left meanwhile.`, '', { retry_after: 1 });
}

export const REGISTER = operation('register', SELF, (self, space) => {
  describeSelf(self, space);
  return selfAmong(agentsHere(space), space);
});

/** A sign of life: keeps the agent from becoming idle, and its locks from expiring. */
export const HEARTBEAT = operation('heartbeat', {}, (_, { run, who }) => run({ type: 'agent.present', who }));

export interface JoinAnswer {
  readonly agent: Agent;
  readonly others: readonly AgentWithHolds[];
}

export const JOIN = operation('join', SELF, (self, space): JoinAnswer => {
  describeSelf(self, space);
  const report = reportOf(space);
  const here = agentsHere(space);
  const agent = selfAmong(here, space);
  const others = here.filter((one) => one !== agent);
  return { agent, others: others.map((one) => ({ ...one, ...holdsOf(report, one.agent_id) })) };
});

export interface LeaveAnswer {
  readonly agent_id: string;
  /** False if it was not here. */
  readonly was_here: boolean;
  readonly released_files: readonly string[];
  readonly released_reservations: readonly string[];
}

/** Releases everything that the caller holds, and ends its waits. Idempotent. */
export const LEAVE = operation('leave', {}, (_, space): LeaveAnswer => {
  const { files, reservations } = holdsOf(reportOf(space), space.who.id);
  const ids = reservations.map(({ id }) => id);
  const { who, run } = space;
  const was_here = run({ type: 'agent.depart', who, paths: files, reservations: ids });
  const released = was_here ? { files, ids } : { files: [], ids: [] };
  return {
    ...{ agent_id: who.id, was_here },
    released_files: released.files,
    released_reservations: released.ids,
  };
});

function reportOf(space: CallerWorkspace): StatusReport {
  const facts = space.facts();
  return consult(space.store, (view) => statusOf(view, facts));
}

function holdsOf(
  { leases, reservations }: StatusReport,
  agent: string,
): Pick<AgentWithHolds, 'files' | 'reservations'> {
  return {
    files: leases.filter(({ holder }) => holder === agent).map(({ path }) => path),
    reservations: reservations
      .filter(({ agent_id }) => agent_id === agent)
      .map(({ id, path_pattern }) => ({ id, path_pattern })),
  };
}
