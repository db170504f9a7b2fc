import { describe, expect, it } from 'vitest';
import { scratch, type Setup, working } from '../claude/driver.ts';
import { serve } from './server.ts';

async function opened(args: readonly string[] = [], setup: Setup = {}) {
  const at = scratch(setup);
  const server = await serve(at, args);
  const names = async (query = '') => {
    const { body } = await server.ask('GET', `/api/agents${query}`);
    return (body['agents'] as readonly { readonly agent_id: string }[]).map(({ agent_id }) => agent_id);
  };
  return { at, server, names };
}

describe('an agent', () => {
  it('joins, says what it can, is found by that, and leaves with all it holds', async () => {
    const { server, names } = await opened();
    const joined = await server.ask('POST', '/api/agents', {
      agent: 'go-1',
      body: { id: 'go-1', name: 'gopher', project: 'repo', capabilities: ['tests', 'docs'], status: 'busy' },
    });
    expect(joined).toMatchObject({
      status: 201,
      body: {
        agent_id: 'go-1',
        name: 'gopher',
        project: 'repo',
        capabilities: ['tests', 'docs'],
        status: 'busy',
      },
    });
    await server.ask('POST', '/api/agents', { agent: 'go-2', body: {} });
    expect(await names('?project=repo')).toEqual(['go-1', 'go-2']);
    expect(await names('?capability=x,docs')).toEqual(['go-1']);
    expect(await names('?capability=x&capability=docs')).toEqual(['go-1']);
    expect(await names('?project=elsewhere')).toEqual([]);

    const asked = { agent: 'go-1', body: { path_pattern: 'src/**', reason: 'r' } };
    const { id } = (await server.ask('POST', '/api/reservations', asked)).body;
    expect(await server.ask('DELETE', '/api/agents/go-1', { agent: 'go-1' })).toMatchObject({
      status: 200,
      body: { agent_id: 'go-1', was_here: true, released_files: [], released_reservations: [id] },
    });
    expect(await server.ask('DELETE', '/api/agents/go-1', { agent: 'go-1' })).toMatchObject({
      status: 200,
      body: { was_here: false },
    });
    expect(await names()).toEqual(['go-2']);
    const { body } = await server.ask('GET', '/api/reservations');
    expect(body['reservations']).toEqual([]);
  });

  it('may not take the name of another one', async () => {
    const { server } = await opened();
    await server.ask('POST', '/api/agents', { agent: 'go-1', body: { name: 'gopher' } });
    const taken = await server.ask('POST', '/api/agents', { agent: 'go-2', body: { name: 'gopher' } });
    expect(taken).toMatchObject({ status: 409, body: { error_code: 'NAME_TAKEN' } });
  });

  it('may not take the name of another one for its id, and so get its letters', async () => {
    const { at, server, names } = await opened(['--sessions']);
    const agent = working(at);
    agent.guard('join', '--name', 'plumber');
    for (const { status, body } of [
      await server.ask('POST', '/api/agents', { agent: 'plumber', body: {} }),
      await server.ask('POST', '/api/reservations', {
        agent: 'plumber',
        body: { path_pattern: 'x', reason: 'r' },
      }),
    ])
      expect({ status, ...body }).toMatchObject({ status: 403, error_code: 'OTHER_AGENT' });
    expect(await names()).toEqual([agent.name]);
  });

  it('is on record when it joins, and at its sign of life where that is news', async () => {
    const { at, server } = await opened();
    for (let time = 0; time < 2; time++)
      expect(
        (await server.ask('POST', '/api/agents/go-1/heartbeat', { agent: 'go-1', body: {} })).status,
      ).toBe(204);
    expect(at.log('agent.join')).toMatchObject([{ agent: 'go-1', pid: null }]);
  });

  it('joins without a header where the body says who it is', async () => {
    const { server, names } = await opened();
    expect((await server.ask('POST', '/api/agents', { body: { agent_id: 'go-1' } })).status).toBe(201);
    expect(await names()).toEqual(['go-1']);
  });

  it('is not called what is no id', async () => {
    const { server, names } = await opened();
    for (const agent of ['go 1', 'a, b', 'a/../b', 'x'.repeat(201)])
      expect(await server.ask('POST', '/api/agents', { agent, body: {} }), agent).toMatchObject({
        status: 400,
        body: { error_code: 'GUARD_ERR_USAGE' },
      });
    for (const agent_id of ['go\u0000', 'go\u001b[2J', 'go\n1', 'x'.repeat(201)])
      expect(await server.ask('POST', '/api/agents', { body: { agent_id } }), agent_id).toMatchObject({
        status: 400,
        body: { error_code: 'GUARD_ERR_USAGE', field: 'agent_id' },
      });
    expect(await names()).toEqual([]);
  });
});

describe('a client', () => {
  it('does not act for an agent that has a session, nor for its subagents', async () => {
    const { at, server } = await opened();
    const agent = working(at);
    const reserved = at.guardWith(
      { CLAUDE_CODE_SESSION_ID: agent.id, CLAUDE_PID: String(agent.pid) },
      'reserve',
      'src/**',
      '--reason',
      'mine',
      '--json',
    );
    const [{ id }] = (reserved.json() as { reservations: [{ id: string }] }).reservations;
    for (const name of [agent.name, `${agent.name}/sub`, `${agent.name}~2`]) {
      const tries = [
        await server.ask('DELETE', `/api/reservations/${id}`, { agent: name }),
        await server.ask('GET', `/api/inbox/${encodeURIComponent(name)}`, { agent: name }),
        await server.ask('POST', '/api/messages', { agent: name, body: { to: '*', body: 'hi' } }),
      ];
      for (const refused of tries)
        expect(refused, name).toMatchObject({ status: 403, body: { error_code: 'SPEAKS_FOR_ITSELF' } });
    }
    const { body } = await server.ask('GET', `/api/reservations?agent=${agent.name}`);
    expect(body['reservations']).toMatchObject([{ id }]);
  });

  it('does where a person allowed it, and is then the same agent', async () => {
    const { at, server, names } = await opened(['--sessions'], { files: { 'src/x': 'one\n' } });
    const agent = working(at);
    const asked = { agent: agent.name, body: { path_pattern: 'src/**', reason: 'r' } };
    expect((await server.ask('POST', '/api/reservations', asked)).status).toBe(201);
    expect(await names()).toEqual([agent.name]);
    agent.read('src/x');
    expect(agent.edit('src/x', 'one', 'two').pre.denial).toBe(null);
  });

  it.each(['--sessions', '--no-token'])('in a session cannot start a server with %s', (option) => {
    const told = scratch().guardWith({ CLAUDECODE: '1' }, 'serve', '--port', '0', option, '--json');
    expect([told.exit, told.json()]).toMatchObject([64, { error: { code: 'GUARD_ERR_USAGE' } }]);
  });

  it.each(['claude-not-yet', 'CLAUDE-not-yet', 'Claude-x/sub', 'claude-x~2'])(
    'cannot be had before it is there: %s',
    async (agent) => {
      const { server } = await opened();
      const refused = await server.ask('POST', '/api/agents', { agent, body: {} });
      expect(refused).toMatchObject({ status: 403, body: { error_code: 'SPEAKS_FOR_ITSELF' } });
    },
  );

  it('nor as another one in another case', async () => {
    const { server } = await opened();
    expect(await server.ask('POST', '/api/agents', { agent: 'go-1', body: {} })).toMatchObject({
      status: 201,
    });
    const refused = await server.ask('POST', '/api/agents', { agent: 'GO-1', body: {} });
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'SPEAKS_FOR_ITSELF' } });
    expect(await server.ask('POST', '/api/agents', { agent: 'go-1', body: {} })).toMatchObject({
      status: 201,
    });
  });

  it('does not act for people', async () => {
    const { server } = await opened(['--sessions']);
    const refused = await server.ask('POST', '/api/agents', { agent: 'mk@host:pts-1', body: {} });
    expect(refused).toMatchObject({ status: 403, body: { error_code: 'SPEAKS_FOR_ITSELF' } });
  });
});

describe('hooks', () => {
  it('keep a session out of what was reserved over HTTP, until it is given back', async () => {
    const { at, server } = await opened([], { files: { 'src/x': 'one\n' } });
    const agent = working(at);
    agent.read('src/x');
    const asked = { agent: 'go-1', body: { path_pattern: 'src/**', reason: 'moving things' } };
    const { body } = await server.ask('POST', '/api/reservations', asked);
    expect(agent.edit('src/x', 'one', 'two').pre.denial).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: 'go-1', pattern: 'src/**', reason: 'moving things' },
    });
    await server.ask('DELETE', `/api/reservations/${body.id ?? ''}`, { agent: 'go-1' });
    agent.guard('lock', 'try', 'src/x');
    expect(agent.edit('src/x', 'one', 'two').pre.denial).toBe(null);
    expect(at.read('src/x')).toBe('two\n');
  });
});
