/** The real server as a process, and a client that validates every answer against the published document. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { fromJSONSchema, type ZodType } from 'zod';
import { type Env, GUARD, PACKAGE, type Scratch } from '../claude/driver.ts';

export interface Place {
  readonly project: string;
  readonly url: string | null;
  readonly socket: string | null;
  readonly token_file: string | null;
}

export interface Ask {
  readonly agent?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Over TCP, with the token if there is one; otherwise over the socket. */
  readonly tcp?: boolean;
  readonly signal?: AbortSignal;
}

export interface Reply<T = Body> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: T;
}

/** The body of any route: tests name the fields they need. */
export interface Body {
  readonly [name: string]: unknown;
  readonly error_code?: string;
  readonly id?: string;
}

export interface Server extends Place {
  readonly pid: number;
  ask(method: string, path: string, ask?: Ask): Promise<Reply>;
  signal(name: NodeJS.Signals): void;
  /** The exit code, and what it printed to standard error. */
  readonly ended: Promise<{ readonly exit: number | null; readonly stderr: string }>;
}

/** `guard serve` on a free port and on the socket; it is stopped after the test. */
export async function serve(at: Scratch, args: readonly string[] = [], env: Env = {}): Promise<Server> {
  const child = spawn(process.execPath, [GUARD, 'serve', '--json', '--port', '0', ...args], {
    cwd: at.root,
    env: { ...at.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk.toString('utf8')));
  const ended = new Promise<{ exit: number | null; stderr: string }>((resolve) =>
    child.on('close', (exit) => resolve({ exit, stderr: err.join('') })),
  );
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const place = await new Promise<Place>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      out.push(chunk.toString('utf8'));
      if (out.join('').endsWith('\n')) resolve(JSON.parse(out.join('')) as Place);
    });
    void ended.then(({ stderr }) => reject(new Error(`guard serve ended: ${stderr}`)));
  });
  return {
    ...place,
    pid: child.pid ?? 0,
    ask: (method, path, ask = {}) => checked(place, method, path, ask),
    signal: (name) => void child.kill(name),
    ended,
  };
}

async function checked(place: Place, method: string, path: string, given: Ask): Promise<Reply> {
  const reply = await send(place, method, path, given);
  const operation = operationOf(method, path.split('?')[0] ?? '');
  if (operation === undefined) return reply;
  const declared = resolved(operation.responses[reply.status]);
  expect(declared, `${method} ${path} answers ${reply.status}`).toBeDefined();
  const schema = declared?.content?.['application/json'].schema;
  if (schema === undefined) expect(reply.body, `${method} ${path} has no body`).toEqual({});
  else validator(schema).parse(reply.body);
  return reply;
}

/** Sends a request without validating the answer. */
export function send(place: Place, method: string, path: string, given: Ask = {}): Promise<Reply> {
  const { agent, body, headers = {}, tcp = false, signal } = given;
  const text =
    body === undefined
      ? undefined
      : typeof body === 'string' || Buffer.isBuffer(body)
        ? body
        : JSON.stringify(body);
  const token = tcp && place.token_file !== null ? readFileSync(place.token_file, 'utf8').trim() : null;
  const where = tcp ? new URL(place.url ?? '') : null;
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        ...(where === null ? { socketPath: place.socket ?? '' } : { host: where.hostname, port: where.port }),
        method,
        path,
        agent: false,
        headers: {
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...(agent === undefined ? {} : { 'x-agent-id': agent }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const told = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: JSON.parse(told === '' ? '{}' : told) as Body,
          });
        });
      },
    );
    asked.on('error', reject);
    asked.end(text);
  });
}

interface Schema {
  readonly [name: string]: unknown;
}

interface Declared {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, Declared>>;
}

export interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Declared>>;
  };
}

export const DOCUMENT = JSON.parse(readFileSync(join(PACKAGE, 'docs/openapi.json'), 'utf8')) as Document;

const resolved = (declared: Declared | undefined): Declared | undefined =>
  declared?.$ref === undefined
    ? declared
    : DOCUMENT.components.responses[declared.$ref.replace('#/components/responses/', '')];

function operationOf(method: string, path: string): Operation | undefined {
  const exact = DOCUMENT.paths[path];
  const found = exact ?? Object.entries(DOCUMENT.paths).find(([template]) => fits(template, path))?.[1];
  return found?.[method.toLowerCase()];
}

/** Whether a path template of the document matches that address. */
export const fits = (template: string, path: string): boolean =>
  new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** A validator for a schema of the document, including the components it refers to. */
export function validator(schema: Schema): ZodType {
  const whole = { ...schema, $defs: DOCUMENT.components.schemas };
  const text = JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/');
  return fromJSONSchema(JSON.parse(text) as Parameters<typeof fromJSONSchema>[0]);
}
