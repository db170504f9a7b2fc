import { describe, expect, it } from 'vitest';
import { scratch, type Setup } from '../claude/driver.ts';
import { type Ask, serve } from './server.ts';

async function opened(setup: Setup = {}) {
  const at = scratch(setup);
  const server = await serve(at);
  const reserve = (agent: string, path_pattern: string, more: object = {}, ask: Ask = {}) =>
    server.ask('POST', '/api/reservations', {
      agent,
      body: { agent_id: agent, project: 'repo', path_pattern, exclusive: true, reason: 'mine', ...more },
      ...ask,
    });
  const list = async (query = '') => {
    const { body } = await server.ask('GET', `/api/reservations${query}`);
    return body['reservations'] as readonly { readonly id: string; readonly agent_id: string }[];
  };
  return { at, server, reserve, list };
}

describe('reserving', () => {
  it('answers the reservation, which others can list', async () => {
    const { reserve, list } = await opened();
    const { status, body } = await reserve('go-1', 'src/**', { ttl_minutes: 5 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^r-\d+$/) as unknown,
      agent_id: 'go-1',
      project: 'repo',
      path_pattern: 'src/**',
      exclusive: true,
      reason: 'mine',
      is_active: true,
    });
    const left_ms = Date.parse(body['expires_at'] as string) - Date.parse(body['since'] as string);
    expect(left_ms).toBe(300_000);
    expect(await list()).toEqual([body]);
    expect(await list('?agent=go-1&project=repo')).toEqual([body]);
    expect(await list('?agent=go-2')).toEqual([]);
    expect(await list('?project=elsewhere')).toEqual([]);
  });

  it('of an agent without a name are not those of everybody', async () => {
    const { server } = await opened();
    const { status, body } = await server.ask('GET', '/api/reservations?agent=');
    expect(status).toBe(400);
    expect(body).toMatchObject({ error_code: 'GUARD_ERR_USAGE', field: 'agent' });
  });

  it('extends the same pattern under the same id', async () => {
    const { reserve, list } = await opened();
    const [first, second] = [await reserve('go-1', 'src/**'), await reserve('go-1', 'src/**')];
    expect(second.status).toBe(201);
    expect(second.body.id).toBe(first.body.id);
    expect(await list()).toHaveLength(1);
  });

  it('of what somebody else has answers 409 with everybody who is in the way', async () => {
    const { reserve, at } = await opened({ files: { 'src/a': '1' } });
    const mine = await reserve('go-1', 'src/*.ts');
    at.guardWith({ GUARD_AGENT_ID: 'shell' }, 'lock', 'try', 'src/a');
    const { status, body } = await reserve('go-2', 'src/**');
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 409,
      error_code: 'CONFLICT',
      conflicts: [
        {
          reservation_id: mine.body.id,
          agent_id: 'go-1',
          held_by: 'go-1',
          pattern: 'src/*.ts',
          reason: 'mine',
        },
        { reservation_id: null, agent_id: 'shell', pattern: 'src/a' },
      ],
    });
  });

  it('shared stands beside shared', async () => {
    const { reserve } = await opened();
    expect((await reserve('go-1', 'src/**', { exclusive: false })).status).toBe(201);
    expect((await reserve('go-2', 'src/**', { exclusive: false })).status).toBe(201);
    expect((await reserve('go-3', 'src/**')).body['conflicts']).toHaveLength(2);
  });

  it('ends at the quota', async () => {
    const { reserve } = await opened({ config: { reservation_quota: 1 } });
    await reserve('go-1', 'a/**');
    expect(await reserve('go-1', 'b/**')).toMatchObject({ status: 403, body: { error_code: 'QUOTA' } });
  });

  it('of what cannot be reserved is refused', async () => {
    const { reserve, list } = await opened();
    const cases = [
      ['in another project', { project: 'elsewhere' }, 400, 'OTHER_PROJECT'],
      ['outside of the repository', { path_pattern: '/etc/hosts' }, 400, 'GUARD_ERR_PATH'],
      ['of something that is no glob', { path_pattern: '../x' }, 400, 'GUARD_ERR_GLOB'],
      ['for another agent', { agent_id: 'go-2' }, 403, 'OTHER_AGENT'],
      ['without a pattern', { path_pattern: '' }, 400, 'GUARD_ERR_USAGE'],
      ['for no time', { ttl_minutes: 0 }, 400, 'GUARD_ERR_USAGE'],
      ['without a reason', { reason: '' }, 400, 'GUARD_ERR_USAGE'],
    ] as const;
    for (const [what, more, status, error_code] of cases)
      expect(await reserve('go-1', 'src/**', more), what).toMatchObject({
        status,
        body: { code: status, error_code },
      });
    expect(await list()).toEqual([]);
  });

  it('is the same over TCP', async () => {
    const { reserve, list } = await opened();
    const { body } = await reserve('go-1', 'src/**', {}, { tcp: true });
    expect(await list()).toEqual([body]);
  });
});

describe('looking for conflicts', () => {
  it('names who is in the way of others, and reserves nothing', async () => {
    const { server, reserve, list } = await opened();
    const held = await reserve('go-1', 'src/**');
    const check = async (query: string, agent?: string) => {
      const asked = await server.ask(
        'GET',
        `/api/reservations/check?${query}`,
        agent === undefined ? {} : { agent },
      );
      return asked.body['conflicts'];
    };
    const found = [
      {
        reservation_id: held.body.id,
        agent_id: 'go-1',
        held_by: 'go-1',
        pattern: 'src/**',
        reason: 'mine',
        expires_at: held.body['expires_at'],
      },
    ];
    expect(await check('project=repo&pattern=src/x&exclusive=true', 'go-2')).toEqual(found);
    expect(await check('pattern=src/x&exclusive=false')).toEqual(found);
    expect(await check('project=repo&pattern=src/x&exclusive=true', 'go-1')).toEqual([]);
    expect(await check('project=elsewhere&pattern=src/x')).toEqual([]);
    expect(await check('pattern=lib/x')).toEqual([]);
    expect(await list()).toHaveLength(1);
  });
});

describe('giving back', () => {
  it('answers 204 as often as one asks', async () => {
    const { server, reserve, list } = await opened();
    const { id } = (await reserve('go-1', 'src/**')).body;
    for (let time = 0; time < 2; time++)
      expect((await server.ask('DELETE', `/api/reservations/${id ?? ''}`, { agent: 'go-1' })).status).toBe(
        204,
      );
    expect(await list()).toEqual([]);
    expect((await server.ask('DELETE', '/api/reservations/r-1', { agent: 'go-1' })).status).toBe(204);
  });

  it('never ends what another agent holds', async () => {
    const { server, reserve, list } = await opened();
    const { id } = (await reserve('go-1', 'src/**')).body;
    const refused = await server.ask('DELETE', `/api/reservations/${id ?? ''}`, { agent: 'go-2' });
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'NOT_YOURS' } });
    const nameless = await server.ask('DELETE', `/api/reservations/${id ?? ''}`);
    expect(nameless).toMatchObject({ status: 400, body: { error_code: 'NO_AGENT' } });
    expect(await list()).toHaveLength(1);
  });
});

describe('20 clients that want one pattern at once', () => {
  it('have one winner, on two servers', async () => {
    const at = scratch();
    const [first, second] = [await serve(at), await serve(at, ['--no-socket'])];
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        (number % 2 === 0 ? first : second).ask('POST', '/api/reservations', {
          agent: `go-${number}`,
          body: { path_pattern: `src/{a,${number}}/**`, reason: 'r' },
          tcp: true,
        }),
      ),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const { body } = await second.ask('GET', '/api/reservations', { tcp: true });
    expect(body['reservations']).toHaveLength(1);
  });
});
