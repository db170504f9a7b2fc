/** Describes the server. */
import * as z from 'zod';
import { projectOf } from '../../operations/project.ts';
import { type HttpRoute, route } from '../route.ts';

const Health = z.object({
  status: z.literal('ok'),
  version: z.string(),
  project: z.string(),
});

export const ABOUT_ROUTES: readonly HttpRoute[] = [
  route({
    method: 'GET',
    path: '/health',
    name: 'health',
    summary: 'Whether the server answers, and which project it serves',
    caller: 'nobody',
    answer: { about: 'It does', schema: Health },
    run: (_, space, { version }) => ({ status: 'ok', version, project: projectOf(space) }),
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    summary: 'This document',
    caller: 'nobody',
    answer: { about: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) },
    run: (_, _workspace, { document }) => document,
  }),
];
