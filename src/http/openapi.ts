/** The OpenAPI 3.1 document, made of the routes. docs/openapi.json is a copy of it. */
import * as z from 'zod';
import type { ResponseSpec, HttpRoute } from './route.ts';
import { schemaOf as fieldsSchema } from '../operations/schema.ts';
import { COMPONENTS, Failure } from './shapes.ts';

type Json = Record<string, unknown>;

/** What every route may answer besides its own; the last two where it takes a body. */
const COMMON: HttpRoute['answers'] = {
  400: { about: 'The request is not as it should be', schema: Failure },
  401: { about: 'The token is missing or wrong (TCP)', schema: Failure },
  403: { about: 'Not for this caller: a web page, another Host, another agent', schema: Failure },
  500: { about: 'guard failed', schema: Failure },
  503: {
    about: 'Another process holds the ledger, or nothing is guarded here; Retry-After',
    schema: Failure,
  },
  413: { about: 'The body is too long', schema: Failure },
  415: { about: 'The body is not application/json', schema: Failure },
};

export function openapi(routes: readonly HttpRoute[], version: string): object {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'guard serve',
      version,
      description: 'Reservations, agents, messages and negotiation of one repository. See docs/http.md.',
    },
    servers: [{ url: 'http://127.0.0.1:7338' }],
    security: [{ token: [] }],
    paths,
    components: {
      responses: Object.fromEntries(
        Object.entries(COMMON).map(([status, one]) => [`Status${status}`, response(one)]),
      ),
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'TCP only' } },
      schemas: {
        ...Object.fromEntries(
          Object.entries(COMPONENTS).map(([name, schema]) => [name, component(name, schema)]),
        ),
        ...Object.fromEntries(
          routes.flatMap(({ body }) => (body?.name ? [[body.name, fieldsSchema(body.fields)]] : [])),
        ),
      },
    },
  };
}

function operation(route: HttpRoute): Json {
  const { name, summary, caller, body, answers } = route;
  return {
    operationId: name,
    summary,
    parameters: [
      ...(['path', 'query'] as const).flatMap((where) => parametersOf(route, where)),
      {
        name: 'X-Agent-ID',
        in: 'header',
        required: false,
        description: caller === 'acts' ? 'Who asks; may be left out where body or path say it' : 'Who asks',
        schema: { type: 'string', maxLength: 200 },
      },
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: bodySchema(body) } },
          },
        }),
    responses: { ...commonOf(route), ...ownOf(answers) },
  };
}

const ownOf = (answers: HttpRoute['answers']): Json =>
  Object.fromEntries(Object.entries(answers).map(([status, one]) => [status, response(one)]));

const commonOf = ({ body }: HttpRoute): Json =>
  Object.fromEntries(
    Object.keys(COMMON)
      .filter((status) => body !== undefined || !ONLY_WITH_BODY.includes(status))
      .map((status) => [status, { $ref: `#/components/responses/Status${status}` }]),
  );

const ONLY_WITH_BODY = ['413', '415'];

const bodySchema = ({ name, fields }: NonNullable<HttpRoute['body']>): object =>
  name === null ? fieldsSchema(fields) : { $ref: `#/components/schemas/${name}` };

function parametersOf(route: HttpRoute, where: 'path' | 'query'): Json[] {
  const { properties, required } = fieldsSchema((where === 'path' ? route.params : route.query) ?? {});
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema: one,
  }));
}

const response = ({ about, schema }: ResponseSpec): Json => ({
  description: about,
  ...(schema === null ? {} : { content: { 'application/json': { schema: schemaOf(schema) } } }),
});

/** Components are referred to by name, everything else is spelled out. */
function schemaOf(schema: z.ZodType): Json {
  const entries = Object.entries(made(schema));
  return Object.fromEntries(entries.filter(([name]) => name !== '$schema' && name !== '$defs'));
}

const component = (name: string, schema: z.ZodType): Json =>
  (made(schema)['$defs'] as Record<string, Json>)[name] ?? {};

function made(schema: z.ZodType): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12' }));
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
