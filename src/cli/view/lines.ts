/** What a person sees of a report: aligned lines, nothing that a terminal would take for an instruction. */
import type { AgentReport, LeaseReport } from '../../core/report.ts';
import type { Cycle, GraphEdge } from '../../core/rules/wait-graph.ts';
import type { ReservationReport } from '../../core/rules/reservation-report.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';
import { plain } from '../../core/plain.ts';

export function agentLines(agents: readonly AgentReport[], { color }: Shell): string[] {
  if (agents.length === 0) return ['No agent is here.'];
  const rows = agents.map((agent) => [
    plain(agent.agent),
    `active ${agent.last_active_seconds} s ago`,
    agent.denials === 0 ? '' : `${agent.denials} denied`,
    agent.writing.length === 0 ? '' : `writing ${agent.writing.map(plain).join(', ')}`,
    agent.at_work.map(({ tool, since }) => `in ${plain(tool)} since ${since}`).join(', '),
  ]);
  return [color.bold('Agents'), ...columns(rows)];
}

export function leaseLines(leases: readonly LeaseReport[], { color }: Shell): string[] {
  if (leases.length === 0) return ['', 'No file is locked.'];
  const rows = leases.map((lease) => [
    plain(lease.path),
    plain(lease.holder),
    lease.mode === 'shared' ? 'shared' : '',
    `until ${lease.expires_at}`,
    lease.holder_state,
    `token ${lease.token}`,
  ]);
  return ['', color.bold('Locks'), ...columns(rows)];
}

export function reservationLines(reservations: readonly ReservationReport[], { color }: Shell): string[] {
  if (reservations.length === 0) return [];
  const rows = reservations.map((one) => [
    plain(one.path_pattern),
    plain(one.agent_id),
    one.exclusive ? '' : 'shared',
    `until ${one.expires_at}`,
    one.id,
    plain(one.reason),
  ]);
  return ['', color.bold('Reservations'), ...columns(rows)];
}

export function waitLines(waits: readonly GraphEdge[], { color }: Shell): string[] {
  if (waits.length === 0) return [];
  const rows = waits.map((edge) => [
    plain(edge.from),
    edge.kind === 'wait' ? 'waits for' : 'was refused',
    plain(edge.path),
    `${edge.because === 'hold' ? 'held by' : 'queued before it:'} ${plain(edge.to)}`,
  ]);
  return ['', color.bold('Waiting'), ...columns(rows)];
}

/** Who has to end it; without a verdict it is only possible, and nobody has to. */
function verdictLines({ victim, release = [], reservations = [] }: Cycle): string[] {
  if (victim === undefined) return [];
  const what = release.length === 0 ? 'stop waiting' : `let go of ${release.map(plain).join(', ')}`;
  const wider = reservations.length === 0 ? '' : ` (reserved: ${reservations.map(plain).join(', ')})`;
  return [`  ${plain(victim)} was told to ${what}${wider}.`];
}

export function cycleLines(cycles: readonly Cycle[], { color }: Shell): string[] {
  return cycles.flatMap((cycle, n) => {
    const title =
      cycle.kind === 'deadlock'
        ? color.red(`Deadlock ${n + 1}: nobody here can go on`)
        : color.yellow(`Possible deadlock ${n + 1}: these agents want what the others hold`);
    const rows = cycle.edges.map((edge) => [
      plain(edge.from),
      edge.kind === 'wait' ? 'waits for' : 'wants',
      plain(edge.path),
      `held by ${plain(edge.to)}`,
    ]);
    return ['', title, ...columns(rows), ...verdictLines(cycle)];
  });
}
