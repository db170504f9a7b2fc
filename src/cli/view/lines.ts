/** What a person sees of a report: aligned lines, nothing that a terminal would take for an instruction. */
import type { LeaseReport } from '../../core/leases.ts';
import type { AgentReport } from '../../core/report.ts';
import type { CommandReport } from '../../core/open-commands.ts';
import type { Cycle, GraphEdge } from '../../core/rules/wait-graph.ts';
import type { ReservationReport } from '../../core/rules/reservation-report.ts';
import type { Shell } from '../shell.ts';
import { columns } from './columns.ts';
import { whom } from '../../core/deadlock-words.ts';
import { plain } from '../../core/plain.ts';

/** Of each list so many rows are shown to somebody who did not ask for all: laying out 10,000 takes a quarter of a second. */
export const ROWS_USUAL = 50;

/** @param most rows; the others are counted */
function listLines<T>(title: string, all: readonly T[], row: (one: T) => string[], most: number): string[] {
  if (all.length === 0) return [];
  const more = all.length > most ? [`  and ${all.length - most} more: guard status --all`] : [];
  return ['', title, ...columns(all.slice(0, most).map(row)), ...more];
}

export function agentLines(agents: readonly AgentReport[], { color }: Shell, most = Infinity): string[] {
  if (agents.length === 0) return ['No agent is here.'];
  const row = (agent: AgentReport): string[] => [
    plain(agent.agent),
    `active ${agent.last_active_seconds} s ago`,
    agent.denials === 0 ? '' : `${agent.denials} denied`,
    agent.writing.length === 0 ? '' : `writing ${agent.writing.map(plain).join(', ')}`,
    agent.at_work.map(({ tool, since }) => `in ${plain(tool)} since ${since}`).join(', '),
  ];
  return listLines(color.bold('Agents'), agents, row, most).slice(1);
}

const FILES_SHOWN = 8;

export function commandLines(
  commands: readonly CommandReport[],
  { color }: Shell,
  most = Infinity,
): string[] {
  const row = ({ agent, paths, since, in_background, elsewhere = [] }: CommandReport): string[] => [
    plain(agent),
    `since ${since}`,
    in_background ? 'in the background' : '',
    [
      ...paths.slice(0, FILES_SHOWN).map(plain),
      ...(paths.length > FILES_SHOWN ? [`and ${paths.length - FILES_SHOWN} more`] : []),
      ...elsewhere.map((root) => `files in ${plain(root)}`),
    ].join(', '),
  ];
  return listLines(color.bold('Commands that write'), commands, row, most);
}

export function leaseLines(leases: readonly LeaseReport[], { color }: Shell, most = Infinity): string[] {
  if (leases.length === 0) return ['', 'No file is locked.'];
  const row = (lease: LeaseReport): string[] => [
    plain(lease.path),
    plain(lease.holder),
    lease.mode === 'shared' ? 'shared' : '',
    `until ${lease.expires_at}`,
    lease.holder_state,
    `token ${lease.token}`,
    lease.command === undefined ? '' : 'until its command ends',
  ];
  return listLines(color.bold('Locks'), leases, row, most);
}

export function reservationLines(
  reservations: readonly ReservationReport[],
  { color }: Shell,
  most = Infinity,
): string[] {
  const row = (one: ReservationReport): string[] => [
    plain(one.path_pattern),
    plain(one.agent_id),
    one.exclusive ? '' : 'shared',
    `until ${one.expires_at}`,
    one.id,
    plain(one.reason),
  ];
  return listLines(color.bold('Reservations'), reservations, row, most);
}

export function waitLines(waits: readonly GraphEdge[], { color }: Shell, most = Infinity): string[] {
  const row = (edge: GraphEdge): string[] => [
    plain(edge.from),
    edge.kind === 'wait' ? 'waits for' : edge.because === 'agent' ? 'may wait for' : 'was refused',
    ...target(edge),
  ];
  return listLines(color.bold('Waiting'), waits, row, most);
}

const BEFORE: Readonly<Record<GraphEdge['because'], string>> = {
  hold: 'held by',
  ticket: 'queued before it:',
  agent: '',
};

const target = ({ from, to, path, because }: GraphEdge): string[] =>
  because === 'agent' ? [plain(whom(from, to)), ''] : [plain(path), `${BEFORE[because]} ${plain(to)}`];

/** Who has to end it; without a verdict it is only possible, and nobody has to. */
function verdictLines({ victim, state, release = [], reservations = [], held_by }: Cycle): string[] {
  if (victim === undefined) return [];
  const files = release.map(plain).join(', ');
  const whose = held_by === undefined ? '' : `, which ${plain(held_by)} locked`;
  const what = release.length === 0 ? 'stop waiting' : `let go of ${files}${whose}`;
  const wider = reservations.length === 0 ? '' : ` (reserved: ${reservations.map(plain).join(', ')})`;
  return [`  ${plain(victim)} ${state === 'told' ? 'was told to' : 'must'} ${what}${wider}.`];
}

export function cycleLines(cycles: readonly Cycle[], { color }: Shell): string[] {
  return cycles.flatMap((cycle, n) => {
    const title =
      cycle.kind === 'deadlock'
        ? color.red(
            `Deadlock ${n + 1}: ${cycle.state === 'told' ? 'the others wait until one lets go' : 'nobody here can go on'}`,
          )
        : color.yellow(`Possible deadlock ${n + 1}: these agents want what the others hold`);
    const rows = cycle.edges.map((edge) => [
      plain(edge.from),
      edge.kind === 'wait' ? 'waits for' : edge.because === 'agent' ? 'may wait for' : 'wants',
      ...target(edge),
    ]);
    return ['', title, ...columns(rows), ...verdictLines(cycle)];
  });
}
