import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ModelRequest, ToolResult } from './messages.ts';
import { type Answer, placeOf, type Scenario, type Seen } from './scenario.ts';
import { streamOf, wholeOf } from './stream.ts';

/** A scripted Messages API, and everything that was sent to it. */
export interface Api {
  /** The Unix socket it listens on; launch.mjs forwards a loopback port of the client's network to it. */
  readonly socket: string;
  /** Every marked request, in order of arrival. */
  readonly seen: readonly Seen[];
  /** Requests without a marker: the client's own titles and summaries. */
  readonly side: readonly ModelRequest[];
  /** Deviations from the script: a missing answer, a turn that threw, an unexpected path. */
  readonly problems: readonly string[];
  /** What the model received at a step of this marker. Throws if the run did not get that far. */
  at(marker: string, step: number): Seen;
  /** All tool results of a marker's run, in order. */
  results(marker: string): readonly ToolResult[];
  close(): Promise<void>;
}

export async function startApi(scenario: Scenario): Promise<Api> {
  const dir = mkdtempSync(join(tmpdir(), 'guard-api-'));
  const socket = join(dir, 's');
  const seen: Seen[] = [];
  const side: ModelRequest[] = [];
  const problems: string[] = [];
  const server = createServer((request, response) => {
    route(request, response, { scenario, seen, side, problems }).catch((error: unknown) => {
      problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
      if (!response.headersSent) response.writeHead(400, JSON_TYPE);
      response.end('{"type":"error","error":{"type":"invalid_request_error","message":"script failed"}}');
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  return {
    socket,
    seen,
    side,
    problems,
    at: (marker, step) => find(seen, marker, step),
    results: (marker) => seen.filter((one) => one.marker === marker).flatMap(({ results }) => results),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          rmSync(dir, { recursive: true, force: true });
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

interface Books {
  readonly scenario: Scenario;
  readonly seen: Seen[];
  readonly side: ModelRequest[];
  readonly problems: string[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function route(request: IncomingMessage, response: ServerResponse, books: Books): Promise<void> {
  const path = (request.url ?? '').split('?')[0];
  const body = await bodyOf(request);
  if (request.method === 'HEAD') return void response.writeHead(200).end();
  if (path === '/v1/messages/count_tokens') {
    return void response
      .writeHead(200, JSON_TYPE)
      .end(JSON.stringify({ input_tokens: Math.ceil(body.length / 4) }));
  }
  if (path !== '/v1/messages') {
    books.problems.push(`unexpected request ${String(request.method)} ${String(request.url)}`);
    return void response
      .writeHead(404, JSON_TYPE)
      .end('{"type":"error","error":{"type":"not_found_error","message":"none"}}');
  }
  await answerModel(JSON.parse(body) as ModelRequest, response, books);
}

async function answerModel(request: ModelRequest, response: ServerResponse, books: Books): Promise<void> {
  const place = placeOf(request);
  const message = `msg_${String(books.seen.length + books.side.length)}`;
  if (place === null) books.side.push(request);
  else books.seen.push(place);
  const answer: Answer = place === null ? { text: 'Scratch work' } : await scripted(place, books);
  if (answer.fails !== undefined) {
    const { status, ...error } = answer.fails;
    return void response.writeHead(status, JSON_TYPE).end(JSON.stringify({ type: 'error', error }));
  }
  if (answer.raw !== undefined) {
    const { status, content_type, body } = answer.raw;
    return void response.writeHead(status, { 'content-type': content_type }).end(body);
  }
  const tool = (index: number): string => `toolu_${place?.marker ?? 'side'}_${place?.step ?? 0}_${index}`;
  if (request.stream === true) {
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(streamOf(answer, { message, tool }, request.model));
  } else {
    response.writeHead(200, JSON_TYPE).end(wholeOf(answer, message, request.model));
  }
}

async function scripted(place: Seen, books: Books): Promise<Answer> {
  const script = books.scenario[place.marker];
  const turn = typeof script === 'function' ? script : script?.[place.step];
  try {
    if (turn !== undefined) return typeof turn === 'function' ? await turn(place) : turn;
  } catch (error) {
    // An error status would only make the client retry.
    books.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return { text: 'The script failed.' };
  }
  books.problems.push(`no answer is scripted for ${place.marker} step ${place.step}`);
  return { text: 'The script has no answer here.' };
}

function find(seen: readonly Seen[], marker: string, step: number): Seen {
  const found = seen.findLast((one) => one.marker === marker && one.step === step);
  if (found === undefined) {
    const came = seen.map((one) => `${one.marker} ${one.step}`).join(', ');
    throw new Error(`the model of ${marker} never reached step ${step}; it was asked for ${came}`);
  }
  return found;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
