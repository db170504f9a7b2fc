/** Joining, saying what one is, and leaving, in the words of the commands. */
import { GuardError } from '../core/error.ts';
import { statusOf } from '../core/report.ts';
import type { StatusReport } from '../core/report.ts';
import { agentsHere } from './agents.ts';
import type { Agent } from './agents.ts';
import type { Desk } from './desk.ts';
import { consult } from '../store/transact.ts';

/** What an agent may say of itself; what it leaves out stays as it is. */
export interface SelfDescription {
  readonly name?: string;
  /** Separated by commas. */
  readonly can?: string;
  readonly status?: string;
}

const STATUS_CHARS = 200;
const CAPABILITY_CHARS = 64;
const CAPABILITIES_MAX = 32;

/** What is undefined stays as it is. False: another agent has that name. */
export const describe = (
  { ledger, who }: Desk,
  {
    name,
    capabilities,
    status,
  }: {
    readonly name: string | undefined;
    readonly capabilities: readonly string[] | undefined;
    readonly status: string | undefined;
  },
): boolean =>
  ledger.run({
    type: 'agent.describe',
    who,
    ...(name === undefined ? {} : { name }),
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(status === undefined ? {} : { status }),
  });

/** A sign of life too. @throws GuardError GUARD_ERR_USAGE for what is no name, or another agent's */
export function describeSelf(desk: Desk, { name, can, status }: SelfDescription): void {
  if (name !== undefined && !/^[\w.-]{1,64}$/.test(name))
    throw new GuardError(
      'GUARD_ERR_USAGE',
      'That is not a name.',
      'Letters, digits, and any of "_ . -", at most 64.',
    );
  const capabilities = can === undefined ? undefined : listed(can);
  if (!describe(desk, { name, capabilities, status: status?.slice(0, STATUS_CHARS) }))
    throw new GuardError('GUARD_ERR_USAGE', 'Another agent has that name.', 'Choose another one.');
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim().slice(0, CAPABILITY_CHARS))
    .filter((one) => one !== '')
    .slice(0, CAPABILITIES_MAX);

export interface AgentWithHolds extends Agent {
  /** Locked files. */
  readonly files: readonly string[];
  readonly reservations: readonly { readonly id: string; readonly path_pattern: string }[];
}

export interface JoinAnswer {
  readonly agent: Agent;
  readonly others: readonly AgentWithHolds[];
}

/** @throws GuardError GUARD_ERR_USAGE as describeSelf */
export function join(desk: Desk, self: SelfDescription): JoinAnswer {
  describeSelf(desk, self);
  const report = reportOf(desk);
  const here = agentsHere(desk);
  const agent = here.find(({ agent_id }) => agent_id === desk.who.id);
  if (agent === undefined) throw new Error(`${desk.who.id} joined and is not there`);
  const others = here.filter((one) => one !== agent);
  return { agent, others: others.map((one) => ({ ...one, ...holdsOf(report, one.agent_id) })) };
}

export interface LeaveAnswer {
  readonly agent_id: string;
  /** False: it was not here. */
  readonly was_here: boolean;
  readonly released_files: readonly string[];
  readonly released_reservations: readonly string[];
}

/** Gives back everything that the caller holds, and ends its waits. Idempotent. */
export function leave(desk: Desk): LeaveAnswer {
  const { files, reservations } = holdsOf(reportOf(desk), desk.who.id);
  const ids = reservations.map(({ id }) => id);
  const was_here = desk.ledger.run({
    type: 'agent.depart',
    who: desk.who,
    paths: files,
    reservations: ids,
  });
  return {
    agent_id: desk.who.id,
    was_here,
    released_files: was_here ? files : [],
    released_reservations: was_here ? ids : [],
  };
}

function reportOf({ ledger }: Desk): StatusReport {
  const facts = ledger.facts();
  return consult(ledger.store, (view) => statusOf(view, facts));
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
