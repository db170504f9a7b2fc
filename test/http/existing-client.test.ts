/**
 * A client like those of the first users of these routes: its own structures, 10 s per request, conflicts and errors as
 * types, and negotiation built on messages alone.
 */
import { request } from 'node:http';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { serve } from './server.ts';

interface Reservation {
  readonly id: string;
  readonly agent_id: string;
  readonly project: string;
  readonly path_pattern: string;
  readonly exclusive: boolean;
  readonly reason: string;
  readonly expires_at: string;
  readonly is_active: boolean;
}

interface Conflict {
  readonly reservation_id: string;
  readonly agent_id: string;
  readonly held_by: string;
  readonly pattern: string;
  readonly reason: string;
  readonly expires_at: string;
}

interface Message {
  readonly from: string;
  readonly body: string;
  readonly thread_id: string;
  readonly subject: string;
  readonly importance: string;
  readonly ack_required: boolean;
}

interface Agent {
  readonly agent_id: string;
  readonly name: string;
}

class ConflictError extends Error {
  readonly conflicts: readonly Conflict[];
  constructor(conflicts: readonly Conflict[]) {
    super('conflict');
    this.conflicts = conflicts;
  }
}

interface Failure {
  readonly code: number;
  readonly message: string;
  readonly retry_after: number;
}

class ServerError extends Error {
  readonly code: number;
  readonly retry_after: number;
  constructor({ code, message, retry_after }: Failure) {
    super(message);
    this.code = code;
    this.retry_after = retry_after;
  }
}

const TIMEOUT_MS = 10_000;

function clientOf(socketPath: string, agent: string, project: string) {
  const ask = (method: string, path: string, body?: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-agent-id': agent };
      const asked = request({ socketPath, method, path, headers, timeout: TIMEOUT_MS }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const told = (text === '' ? null : JSON.parse(text)) as Record<string, unknown> | null;
          const status = response.statusCode ?? 0;
          if (status < 300) resolve(told);
          else if (status === 409) reject(new ConflictError(told?.['conflicts'] as Conflict[]));
          else reject(new ServerError(told as unknown as Failure));
        });
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const list = async <T>(path: string, field: string): Promise<readonly T[]> =>
    ((await ask('GET', path)) as Record<string, readonly T[]>)[field] ?? [];
  const query = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
  return {
    register: (capabilities: readonly string[]) =>
      ask('POST', '/api/agents', { id: agent, name: agent, project, capabilities }) as Promise<Agent>,
    discover: (capabilities: readonly string[]) =>
      list<Agent>(`/api/agents?${query({ project, capability: capabilities.join(',') })}`, 'agents'),
    reserve: (path_pattern: string, ttl_minutes = 15) =>
      ask('POST', '/api/reservations', {
        ...{ agent_id: agent, project, path_pattern, exclusive: true, reason: 'work', ttl_minutes },
      }) as Promise<Reservation>,
    reservations: () => list<Reservation>(`/api/reservations?${query({ agent, project })}`, 'reservations'),
    conflicts: (pattern: string) =>
      list<Conflict>(
        `/api/reservations/check?${query({ project, pattern, exclusive: 'true' })}`,
        'conflicts',
      ),
    release: (id: string) => ask('DELETE', `/api/reservations/${id}`),
    send: (to: string, body: object, thread_id: string, subject: string, importance = 'normal') =>
      ask('POST', '/api/messages', {
        ...{ project, from: agent, to: [to], body: JSON.stringify(body) },
        ...{ thread_id, subject, importance, ack_required: importance === 'urgent' },
      }),
    inbox: (cursor: string) =>
      ask('GET', `/api/inbox/${agent}?${query({ project, cursor })}`) as Promise<{
        readonly messages: readonly Message[];
        readonly next_cursor: string;
      }>,
    thread: (id: string) => list<Message>(`/api/threads/${id}?${query({ project })}`, 'messages'),
  };
}

describe('an existing client', () => {
  const two = async () => {
    const { socket, project } = await serve(scratch());
    const [a, b] = ['go-a', 'go-b'].map((id) => clientOf(socket ?? '', id, project));
    if (a === undefined || b === undefined) throw new Error('two clients');
    await a.register(['backend']);
    await b.register(['frontend', 'docs']);
    return { a, b };
  };

  it('registers, discovers, reserves, meets a conflict as a type, and gives back twice', async () => {
    const { a, b } = await two();
    expect((await a.discover(['docs', 'nothing'])).map(({ agent_id }) => agent_id)).toEqual(['go-b']);
    const made = await a.reserve('src/**');
    expect(made).toMatchObject({
      agent_id: 'go-a',
      path_pattern: 'src/**',
      exclusive: true,
      is_active: true,
    });
    expect(Date.parse(made.expires_at) - Date.now()).toBeGreaterThan(14 * 60_000);
    expect(await a.reservations()).toMatchObject([{ id: made.id }]);
    expect(await b.reservations()).toEqual([]);
    const failure: unknown = await b.reserve('src/x.ts').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConflictError);
    expect((failure as ConflictError).conflicts).toMatchObject([
      { reservation_id: made.id, agent_id: 'go-a', held_by: 'go-a', pattern: 'src/**', reason: 'work' },
    ]);
    const refused: unknown = await b.reserve('../out').catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 400, retry_after: 0 });
    expect(await b.release(made.id).catch((error: unknown) => error)).toMatchObject({ code: 403 });
    expect([await a.release(made.id), await a.release(made.id)]).toEqual([null, null]);
    expect(await b.reserve('src/x.ts')).toMatchObject({ is_active: true });
  });

  it('negotiates by messages alone: request, answer in the thread, newest first', async () => {
    const { a, b } = await two();
    await a.reserve('src/**');
    const [held] = await b.conflicts('src/x.ts');
    const thread_id = randomUUID();
    const ask = {
      type: 'release-request',
      file: 'src/x.ts',
      reason: 'a typo',
      requester: 'go-b',
      urgency: 'urgent',
    };
    await b.send(held?.held_by ?? '', { ...ask, thread_id }, thread_id, 'release-request', 'urgent');

    const { messages, next_cursor } = await a.inbox('');
    const [letter] = messages;
    expect(letter).toMatchObject({ from: 'go-b', thread_id, importance: 'urgent', ack_required: true });
    expect(JSON.parse(letter?.body ?? '')).toMatchObject(ask);
    const defer = {
      type: 'release-defer',
      file: 'src/x.ts',
      eta_minutes: 5,
      reason: 'tests',
      released: false,
    };
    await a.send('go-b', defer, thread_id, 'release-defer');
    for (const { id } of await a.reservations()) await a.release(id);
    const ack = {
      type: 'release-ack',
      file: 'src/x.ts',
      released: true,
      released_by: 'go-a',
      released_cnt: 1,
    };
    await a.send('go-b', ack, thread_id, 'release-ack');

    const newest = (await b.thread(thread_id)).toReversed().map(({ subject }) => subject);
    expect(newest).toEqual(['release-ack', 'release-defer', 'release-request']);
    expect((await a.inbox(next_cursor)).messages).toEqual([]);
    expect(await b.reserve('src/x.ts')).toMatchObject({ agent_id: 'go-b' });
  });
});
