/** Reads a route's input from a request: its path, its query and its body, each by the fields of the route. */
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { isObject } from '../core/json-object.ts';
import type { InputFields } from '../operations/field.ts';
import { readInput } from '../operations/read-input.ts';
import type { Door } from './gate.ts';
import { Refusal } from './refusal.ts';
import type { Given, HttpRoute } from './route.ts';

/** The longest message with every character as `\\u003c`, six bytes, and room for the rest. */
const BODY_MAX_BYTES = 131_072;

export interface ServerEnv {
  readonly Bindings: HttpBindings & { readonly door: Door };
}
export type Request = Context<ServerEnv>;

export const SEE_DOCUMENT = { hint: 'GET /openapi.json names every route.' };

export const json = async (c: Request, next: () => Promise<void>): Promise<void> => {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new Refusal(415, 'NOT_JSON', 'The body must be application/json.', {
      hint: 'Send Content-Type: application/json.',
    });
  await next();
};

export interface Checked extends Given<never, never, never> {
  readonly notes: readonly string[];
}

export async function givenTo({ params = {}, query = {}, body }: HttpRoute, c: Request): Promise<Checked> {
  const [inPath, inQuery] = [read(params, c.req.param(), true), read(query, queryOf(c), true)];
  const inBody = body === undefined ? null : read(body, await bodyOf(c), false);
  return {
    params: inPath.input as never,
    query: inQuery.input as never,
    body: inBody?.input as never,
    notes: [inPath, inQuery, inBody].flatMap((one) => one?.notes ?? []),
  };
}

function read(fields: InputFields, given: unknown, isAllText: boolean): ReturnType<typeof readInput> {
  if (isObject(given)) return readInput(fields, given, { isAllText });
  throw new Refusal(400, 'BAD_REQUEST', 'The body is not a JSON object.', SEE_DOCUMENT);
}

/** A repeated parameter is a list, which only a few of them accept. */
export const queryOf = (c: Request): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [
      name,
      values.length === 1 ? (values[0] ?? '') : values,
    ]),
  );

async function bodyOf(c: Request): Promise<unknown> {
  const bytes = await bytesOf(c);
  try {
    // Other bytes would become U+FFFD, and a pattern that contains it reserves something other than intended.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'BAD_JSON', 'The body is not JSON in UTF-8.');
  }
}

/** Reads no more than is allowed, whether or not the length was announced. */
async function bytesOf(c: Request): Promise<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > BODY_MAX_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (c.req.raw.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (): Refusal =>
  new Refusal(413, 'TOO_LARGE', `The body is longer than ${BODY_MAX_BYTES} bytes.`);
