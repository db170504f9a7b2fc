/** The OpenAPI 3.1 document, generated from the routes. docs/openapi.json is a copy of it. */
import * as z from 'zod';
import type { ResponseSpec, HttpRoute } from './route.ts';
import type { InputFields } from '../operations/field.ts';
import { schemaOf as fieldsSchema } from '../operations/schema.ts';
import { Failure, withNotesBeside } from './shapes.ts';

type Json = Record<string, unknown>;

/** What every route may answer in addition to its own; the last two only if it takes a body. */
const COMMON: NonNullable<HttpRoute['refusals']> = {
  400: 'The request is invalid',
  401: 'The token is missing or wrong (TCP)',
  403: 'Not for this caller: a web page, another Host, another agent',
  500: 'guard failed',
  503: 'Another process holds the ledger, or nothing is guarded here; Retry-After',
  413: 'The body is too long',
  415: 'The body is not application/json',
};

const ONLY_WITH_BODY = ['413', '415'];

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
      responses: mapped(COMMON, refused, (status) => `Status${status}`),
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'TCP only' } },
      schemas: { ...namedAnswers(routes), ...namedBodies(routes) },
    },
  };
}

function operation(route: HttpRoute): Json {
  const { name, summary, caller, body, body_name, answer, refusals = {} } = route;
  const schema = body_name === undefined ? fieldsSchema(body ?? {}) : refTo(`schemas/${body_name}`);
  const common = Object.keys(COMMON).filter(
    (status) => body !== undefined || !ONLY_WITH_BODY.includes(status),
  );
  return {
    operationId: name,
    summary,
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      {
        name: 'X-Agent-ID',
        in: 'header',
        required: false,
        description: caller === 'acts' ? 'Who asks; may be left out where body or path say it' : 'Who asks',
        schema: { type: 'string', maxLength: 200 },
      },
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, ...asJson(schema) } }),
    responses: {
      ...Object.fromEntries(common.map((status) => [status, refTo(`responses/Status${status}`)])),
      [answer.status ?? 200]: answered(answer, caller),
      ...mapped(refusals, refused),
    },
  };
}

const refTo = (place: string): Json => ({ $ref: `#/components/${place}` });

const asJson = (schema: object): Json => ({ content: { 'application/json': { schema } } });

const mapped = <T>(
  of: Readonly<Record<string, T>>,
  to: (one: T) => Json,
  name = (key: string) => key,
): Json => Object.fromEntries(Object.entries(of).map(([key, one]) => [name(key), to(one)]));

const parametersOf = (where: 'path' | 'query', fields: InputFields = {}): Json[] => {
  const { properties, required } = fieldsSchema(fields);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema,
  }));
};

const refused = (about: string): Json => ({ description: about, ...asJson(schemaOf(Failure)) });

function answered({ about, schema }: ResponseSpec, caller: HttpRoute['caller']): Json {
  if (schema === null) return { description: about };
  return { description: about, ...asJson(schemaOf(caller === 'nobody' ? schema : withNotesBeside(schema))) };
}

/** A named schema is referred to by its name; everything else is written out. */
function schemaOf(schema: z.ZodType): Json {
  const entries = Object.entries(made(schema));
  return Object.fromEntries(entries.filter(([name]) => name !== '$schema' && name !== '$defs'));
}

function namedAnswers(routes: readonly HttpRoute[]): Json {
  const schemas = [Failure, ...routes.flatMap(({ answer }) => answer.schema ?? [])];
  const named = schemas.flatMap((schema) => Object.entries(made(schema)['$defs'] ?? {}));
  return Object.fromEntries<unknown>(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const namedBodies = (routes: readonly HttpRoute[]): Json =>
  Object.fromEntries(
    routes.flatMap(({ body = {}, body_name }) => (body_name ? [[body_name, fieldsSchema(body)]] : [])),
  );

function made(schema: z.ZodType): Json {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12' }));
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/')) as Json;
}
