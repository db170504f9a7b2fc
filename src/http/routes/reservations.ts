/** Reservations: the routes of existing clients. */
import * as z from 'zod';
import { label } from '../../operations/field.ts';
import { meantBy } from '../../operations/pattern.ts';
import { LIST_RESERVATIONS } from '../../operations/reservation-list.ts';
import { CHECK_CONFLICTS } from '../../operations/conflicts.ts';
import { RESERVE_FILES } from '../../operations/reservations.ts';
import type { ConflictDetail, ReserveAnswer } from '../../operations/reservations.ts';
import { RELEASE_FILES } from '../../operations/unreserve.ts';
import { claimed, pattern, project } from '../fields.ts';
import { sameProject } from '../project.ts';
import { Refusal } from '../refusal.ts';
import { type HttpRoute, route } from '../route.ts';
import { ConflictsSchema } from '../conflicts-shape.ts';
import { ReservationSchema } from '../shapes.ts';

const { reason, exclusive, ttl_minutes } = RESERVE_FILES.fields;

export const RESERVATION_ROUTES: readonly HttpRoute[] = [
  route({
    method: 'POST',
    path: '/api/reservations',
    name: 'createReservation',
    summary: 'Reserve a pattern; the same pattern again extends it and keeps its id',
    caller: 'acts',
    body_name: 'NewReservation',
    body: {
      agent_id: claimed,
      project,
      path_pattern: pattern,
      // In the operation's order, so that the first wrong field is reported, as in every interface.
      ...{ reason, ttl_minutes, exclusive },
    },
    answer: { status: 201, about: 'Reserved', schema: ReservationSchema },
    refusals: { 403: 'The agent has reached its limit', 409: 'Others are in the way' },
    claims: ({ body }) => [body.agent_id],
    async run({ body }, space, around) {
      sameProject(space, body.project);
      const { path_pattern } = body;
      // A fault of the pattern is reported before anything else.
      meantBy(space, path_pattern);
      const request = { ...body, patterns: [path_pattern], all_or_nothing: false };
      const told = await RESERVE_FILES.run(request, space, around);
      const [reservation] = told.reservations;
      if (reservation !== undefined) return reservation;
      throw notReserved(told);
    },
  }),
  route({
    method: 'GET',
    path: '/api/reservations',
    name: 'listReservations',
    summary: 'Live reservations, oldest first',
    caller: 'anybody',
    query: { agent: LIST_RESERVATIONS.fields.agent, project },
    answer: {
      about: 'Of one agent or of all',
      schema: z.object({ reservations: z.array(ReservationSchema) }),
    },
    run: ({ query }, space, around) => LIST_RESERVATIONS.run({ ...query, mine: false }, space, around),
  }),
  route({
    method: 'GET',
    path: '/api/reservations/check',
    name: 'checkConflicts',
    summary: 'What reserving a pattern would meet; reserves nothing',
    caller: 'anybody',
    query: { project, pattern, exclusive },
    answer: { about: 'No conflicts: it could be reserved now', schema: ConflictsSchema },
    async run({ query: { pattern: asked, ...others } }, space, around) {
      const { conflicts, clear, elsewhere } = await CHECK_CONFLICTS.run(
        { patterns: [asked], ...others },
        space,
        around,
      );
      const beside = elsewhere?.map(({ checkout, branch, ...one }) => ({ ...detail(one), checkout, branch }));
      return {
        conflicts: conflicts.map(detail),
        clear,
        ...(beside === undefined ? {} : { elsewhere: beside }),
      };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/reservations/{id}',
    name: 'deleteReservation',
    summary: 'Release a reservation; one that is gone counts as released',
    caller: 'acts',
    params: { id: label('Of the reservation') },
    answer: { status: 204, about: 'No one holds it', schema: null },
    refusals: { 403: 'Another agent holds it' },
    async run({ params: { id } }, space, around) {
      const { errors } = await RELEASE_FILES.run({ reservation_ids: [id] }, space, around);
      // An unknown reservation is held by no one, which is what a client that deletes it wants.
      if (errors.every(({ code }) => code === 'UNKNOWN')) return {};
      throw new Refusal(403, 'NOT_YOURS', `Another agent holds ${id}.`, {
        hint: 'POST /api/negotiations asks for it.',
      });
    },
  }),
];

function notReserved({ errors: [error = 'not reserved'], conflicts }: ReserveAnswer): Refusal {
  if (conflicts.length === 0)
    return new Refusal(403, 'QUOTA', `Not reserved: ${error}.`, { hint: 'Release one first.' });
  return new Refusal(409, 'CONFLICT', `Not reserved: ${error}.`, {
    hint: 'Wait until it expires, choose a narrower pattern, or ask for it with POST /api/negotiations.',
    conflicts,
  });
}

const detail = (one: ConflictDetail): ConflictDetail => {
  const { reservation_id, agent_id, held_by, pattern: held, reason, expires_at } = one;
  return { reservation_id, agent_id, held_by, pattern: held, reason, expires_at };
};
