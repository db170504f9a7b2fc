/** Reservations that hold now. */
import { AGENTS, GLOBS } from '../core/keys.ts';
import { overlay } from '../core/overlay.ts';
import { reservationReports } from '../core/rules/reservation-report.ts';
import { changesOver } from '../core/states.ts';
import { consult } from '../store/transact.ts';
import { isHere, projectOf } from './project.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { flag, label, neverEmpty, optional, withDefault } from './field.ts';
import { operation } from './operation.ts';
import type { ProjectReservation } from './reservations.ts';

export const MY_RESERVATIONS = operation('my_reservations', {}, (_, space) =>
  listReservations(space, { agent: space.who.id }),
);

export const LIST_RESERVATIONS = operation(
  'list_reservations',
  {
    agent: neverEmpty(optional(label('Only of this one'))),
    project: optional(label('A label: one ledger is one project')),
    mine: withDefault(flag('Only of who asks'), false),
  },
  ({ agent, project, mine }, space) => ({
    reservations: listReservations(space, { agent: mine ? space.who.id : agent, project }),
  }),
);

/** Live ones; of one agent, or of all. */
function listReservations(
  space: Workspace,
  filter: { agent?: string | undefined; project?: string | undefined } = {},
): ProjectReservation[] {
  if (!isHere(space, filter.project)) return [];
  const project = projectOf(space);
  const facts = space.facts();
  const reservations = consult(space.store, (view) => {
    const seen = [...view.range(AGENTS), ...view.range(GLOBS)];
    return reservationReports(changesOver(overlay(view, seen, [AGENTS, GLOBS])), facts);
  });
  return reservations
    .filter((one) => filter.agent === undefined || one.agent_id === filter.agent)
    .map((one) => ({ ...one, project }));
}
