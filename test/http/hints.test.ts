import { describe, expect, it } from 'vitest';
import { hintForHttp } from '../../src/http/hints.ts';
import { HTTP_ROUTES } from '../../src/http/routes.ts';
import { COORDINATION_NAMES } from '../../src/core/lock-tools.ts';
import { scratch } from '../claude/driver.ts';
import { serve } from './server.ts';

const tools = new RegExp(`\\b(?:${COORDINATION_NAMES.join('|')})\\b`);

describe('a hint over HTTP', () => {
  it.each([
    ['Use list_agents or "guard agents" to see who is here.', 'Use GET /api/agents to see who is here.'],
    ['Use list_agents to see who is here.', 'Use GET /api/agents to see who is here.'],
    ['respond_to_release releases it.', 'POST /api/negotiations/{thread_id}/response releases it.'],
    ['Wait a minute.', 'Wait a minute.'],
  ])('of "%s" is "%s"', (hint, told) => {
    expect(hintForHttp(hint)).toBe(told);
  });

  it('names routes that there are', () => {
    const known = HTTP_ROUTES.map(({ method, path }) => `${method} ${path}`);
    const named = COORDINATION_NAMES.map(hintForHttp).filter((told) => told.includes(' '));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((told) => !known.includes(told))).toEqual([]);
  });

  it('names no tool, whatever was wrong', async () => {
    const server = await serve(scratch());
    const agent = 'go-1';
    const asked = { agent_name: 'nobody', file: 'a', reason: 'work' };
    const answered = { requester: agent, action: 'release', file: 'a' };
    const replies = [
      await server.ask('POST', '/api/messages', { agent, body: { to: 'nobody', body: 'hi' } }),
      await server.ask('POST', '/api/messages', { agent, body: { to: '*', body: 'hi' } }),
      await server.ask('POST', '/api/messages/m-1/ack', { agent, body: {} }),
      await server.ask('GET', `/api/inbox/${agent}?cursor=m-9`, { agent }),
      await server.ask('POST', '/api/negotiations', { agent, body: asked }),
      await server.ask('POST', '/api/negotiations/t-1/response', { agent, body: answered }),
    ];
    const hints = replies.map(({ body }) => String(body['hint']));
    expect(replies.map(({ status }) => status >= 400)).toEqual(replies.map(() => true));
    expect(hints.filter((hint) => hint === '' || tools.test(hint) || hint.includes('"guard '))).toEqual([]);
  });
});
