/** Reservations: the routes of existing clients. */
import * as z from 'zod';
import { checkConflicts, listReservations, reserveFiles } from '../../coordination/reservations.ts';
import type { ConflictDetail, ReserveAnswer } from '../../coordination/reservations.ts';
import { isHere } from '../../coordination/desk.ts';
import { meantBy } from '../../coordination/pattern.ts';
import { sameProject } from '../project.ts';
import { Refusal } from '../refusal.ts';
import { route } from '../route.ts';
import type { Route } from '../route.ts';
import {
  agentId,
  Conflict,
  Failure,
  label,
  NewReservation,
  pattern,
  project,
  Reservation,
} from '../shapes.ts';

const MINUTE_MS = 60_000;

export const RESERVATION_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/reservations',
    name: 'createReservation',
    summary: 'Reserve a pattern; the same pattern again extends it and keeps its id',
    caller: 'acts',
    body: NewReservation,
    answers: {
      201: { about: 'Reserved', schema: Reservation },
      403: { about: 'As many as one agent may have', schema: Failure },
      409: { about: 'Others are in the way', schema: Failure },
    },
    claims: ({ body }) => [body.agent_id],
    run({ body }, desk) {
      sameProject(desk, body.project);
      const { path_pattern, reason, exclusive, ttl_minutes } = body;
      // What is wrong with the pattern is said before anything else.
      meantBy(desk.ledger, path_pattern);
      const told = reserveFiles(desk, {
        patterns: [path_pattern],
        reason,
        exclusive,
        all: false,
        ...(ttl_minutes === undefined ? {} : { ttl_ms: Math.round(ttl_minutes * MINUTE_MS) }),
      });
      const [reservation] = told.reservations;
      if (reservation !== undefined) return { status: 201, body: reservation };
      throw notReserved(told);
    },
  }),
  route({
    method: 'GET',
    path: '/api/reservations',
    name: 'listReservations',
    summary: 'Live reservations, oldest first',
    caller: 'anybody',
    query: { agent: agentId.optional(), project: project.optional() },
    answers: {
      200: { about: 'Of one agent or of all', schema: z.object({ reservations: z.array(Reservation) }) },
    },
    run: ({ query }, desk) => ({
      status: 200,
      body: {
        reservations: listReservations(desk, query),
      },
    }),
  }),
  route({
    method: 'GET',
    path: '/api/reservations/check',
    name: 'checkConflicts',
    summary: 'What reserving a pattern would meet; reserves nothing',
    caller: 'anybody',
    query: {
      project: project.optional(),
      pattern,
      exclusive: z.enum(['true', 'false']).default('true'),
    },
    answers: { 200: { about: 'Empty: nothing', schema: z.object({ conflicts: z.array(Conflict) }) } },
    run({ query }, desk) {
      if (!isHere(desk, query.project)) return { status: 200, body: { conflicts: [] } };
      const { conflicts, errors } = checkConflicts(desk, [query.pattern], query.exclusive === 'true');
      // Says what is wrong with the pattern.
      if (errors !== undefined) meantBy(desk.ledger, query.pattern);
      return { status: 200, body: { conflicts: conflicts.map(detail) } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/reservations/{id}',
    name: 'deleteReservation',
    summary: 'Give a reservation back; one that is gone counts as given back',
    caller: 'acts',
    params: { id: label('Of the reservation') },
    answers: {
      204: { about: 'Nobody holds it', schema: null },
      403: { about: 'Another agent holds it', schema: Failure },
    },
    run({ params }, desk) {
      const [result] = desk.ledger.run({ type: 'unreserve', who: desk.who, ids: [params.id] });
      // What nobody ever had is held by nobody: for a client that deletes, that is as it wanted it.
      if (result === undefined || result.released || result.is_unknown) return { status: 204 };
      throw new Refusal(403, 'NOT_YOURS', `Another agent holds ${params.id}.`, {
        hint: 'POST /api/negotiations asks for it.',
      });
    },
  }),
];

function notReserved({ errors: [error = 'not reserved'], conflicts }: ReserveAnswer): Refusal {
  if (conflicts.length === 0)
    return new Refusal(403, 'QUOTA', `Not reserved: ${error}.`, { hint: 'Give one back first.' });
  return new Refusal(409, 'CONFLICT', `Not reserved: ${error}.`, {
    hint: 'Wait until it expires, choose a narrower pattern, or ask for it with POST /api/negotiations.',
    conflicts,
  });
}

const detail = (one: ConflictDetail): ConflictDetail => {
  const { reservation_id, agent_id, held_by, pattern: held, reason, expires_at } = one;
  return { reservation_id, agent_id, held_by, pattern: held, reason, expires_at };
};
