/** Reservations that are live now. */
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
    agent: neverEmpty(optional(label('Only of this agent'))),
    project: optional(label('A label: one ledger is one project')),
    mine: withDefault(flag('Only your own'), false),
  },
  ({ agent, project, mine }, space) => ({
    reservations: listReservations(space, { agent: mine ? space.who.id : agent, project }),
  }),
);

/** Live reservations, of one agent or of all. */
function listReservations(
  space: Workspace,
  filter: { agent?: string | undefined; project?: string | undefined } = {},
): ProjectReservation[] {
  if (!isHere(space, filter.project)) return [];
  const project = projectOf(space);
  const facts = space.facts();
  const reservations = consult(space.store, (view) =>
    reservationReports(changesOver(view), facts, filter.agent),
  );
  return reservations.map((one) => ({ ...one, project }));
}
