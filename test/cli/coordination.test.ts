/** Reservations, messages and negotiation as commands: text for people, and JSON. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../claude/driver.ts';

const as = (at: Scratch, agent: string) => ({
  run: (...args: string[]) => at.guard(...args, '--agent', agent),
  json: (...args: string[]) =>
    at.guard(...args, '--agent', agent, '--json').json() as Record<string, unknown>,
});

describe('reservations', () => {
  it('are made, seen, refused to others, and released', () => {
    const at = scratch();
    const [a, b] = [as(at, 'a'), as(at, 'b')];
    const made = a.run('reserve', 'src/**', '--reason', 'new \u001b[31mrouter');
    expect([made.exit, made.stdout]).toEqual([
      0,
      expect.stringMatching(/^reserved src\/\*\* {2}r-\d+ {2}for 15m\n$/),
    ]);
    const refused = b.run('reserve', 'src/a.ts', '--reason', 'x');
    expect([refused.exit, refused.stdout]).toEqual([
      1,
      expect.stringMatching(/^not reserved src\/a\.ts: src\/\*\* is held by a, \d+[ms] left \(new /),
    ]);
    expect(b.run('lock', 'try', 'src/a.ts').stdout).toContain('held by a');
    expect(b.run('conflicts', 'src/*').exit).toBe(1);
    expect(b.json('conflicts', 'docs/*')).toEqual({ conflicts: [], clear: ['docs/*'] });
    const { reservations } = b.json('reservations') as { reservations: { id: string }[] };
    expect(reservations).toMatchObject([{ agent_id: 'a', path_pattern: 'src/**', exclusive: true }]);
    expect(b.json('reservations', '--project', 'another')).toEqual({ reservations: [] });
    const shown = at.guard('status').stdout;
    expect(shown).toContain('Reservations');
    expect(shown).toContain('new \\x1b[31mrouter');
    const id = reservations[0]?.id ?? '';
    expect(b.run('unreserve', id).exit).toBe(1);
    expect(a.json('unreserve', id)).toEqual({ released: [id], errors: [] });
    expect(a.json('unreserve', '--all')).toEqual({ released_count: 0 });
    expect(b.run('lock', 'try', 'src/a.ts').exit).toBe(0);
  });

  it('of patterns that cannot be used say why', () => {
    const at = scratch();
    const told = as(at, 'a').json('reserve', '../x', 'ok', '--reason', 'r') as {
      reservations: object[];
      errors: string[];
    };
    expect([told.reservations.length, told.errors.length]).toEqual([1, 1]);
    expect(as(at, 'a').json('reserve', '../x', 'fine', '--all', '--reason', 'r')).toMatchObject({
      reservations: [],
    });
    expect(at.guard('unreserve').exit).toBe(64);
  });
});

describe('a pattern that many reservations are in the way of', () => {
  it('is refused in one sentence, with as many of them as an agent can read', () => {
    const at = scratch();
    const [a, b] = [as(at, 'a'), as(at, 'b')];
    a.run('reserve', ...Array.from({ length: 30 }, (_, n) => `src/${n}/**`), '--reason', 'r');
    const told = b.json('reserve', 'src/**', '--reason', 'r') as { conflicts: object[]; errors: string[] };
    expect(told.conflicts).toHaveLength(20);
    expect(told.errors).toEqual([expect.stringMatching(/^src\/\*\*: src\/0\/\*\* is held by a .*; 29 more/)]);
    expect((b.json('conflicts', 'src/**') as { conflicts: object[] }).conflicts).toHaveLength(20);
  });
});

describe('messages', () => {
  it('go by name and id, page by cursor, and show nothing that a terminal obeys', () => {
    const at = scratch();
    const [a, b] = [as(at, 'a'), as(at, 'b')];
    a.run('agents', '--name', 'router', '--can', 'typescript,css', '--status', 'busy');
    expect(b.json('agents', '--capability', 'go,css')).toMatchObject({
      agents: [{ agent_id: 'a', name: 'router', status: 'busy' }],
    });
    expect(b.json('agents', '--capability', 'go')).toEqual({ agents: [] });
    expect(b.run('agents', '--name', 'router').exit).toBe(64);
    const sent = b.json('message', 'send', 'clear \u001b[2J it', '--to', 'router', '--ack') as {
      message_id: string;
    };
    const shown = a.run('message', 'inbox').stdout;
    expect(shown).toContain('clear \\x1b[2J it');
    expect(shown).not.toContain('\u001b');
    const { next_cursor } = a.json('message', 'inbox') as { next_cursor: string };
    expect(a.json('message', 'inbox', '--cursor', next_cursor)).toMatchObject({ messages: [] });
    expect(a.json('message', 'thread', sent.message_id)).toMatchObject({ messages: [{ from: 'b' }] });
    expect(a.json('message', 'ack', sent.message_id)).toEqual({ id: sent.message_id, acknowledged: true });
    expect(b.json('message', 'ack')).toEqual({ stale: [] });
    expect(a.run('message', 'ack', 'm-1').exit).toBe(1);
    expect(a.json('message', 'ack', '')).toMatchObject({ error: { code: 'NO_MESSAGE' } });
    expect(b.run('message', 'send', 'x', '--to', 'nobody').exit).toBe(64);
    expect(b.json('message', 'send', 'x')).toMatchObject({
      error: { message: expect.stringContaining('No recipient:') as string, facts: { field: 'to' } },
    });
    expect(b.run('message', 'send', 'x'.repeat(16_385), '--to', 'a').exit).toBe(64);
    expect(a.json('message', 'settings', '--block', 'b')).toEqual({ blocked: ['b'] });
    expect(b.json('message', 'send', 'again', '--to', 'a')).toMatchObject({ error: { code: 'BLOCKED' } });
  });
});

describe('a negotiation', () => {
  it('asks, answers, and lists what is not settled', () => {
    const at = scratch();
    const [a, b] = [as(at, 'a'), as(at, 'b')];
    a.run('lock', 'try', 'x');
    const ask = ['negotiate', 'request', 'x', '--of', 'a', '--reason', 'need it'] as const;
    const { thread_id } = b.json(...ask) as { thread_id: string };
    expect(a.json('negotiate', 'pending')).toMatchObject({
      requests: [{ thread_id, file: 'x', from: 'b', to: 'a', is_free: false }],
    });
    const answer = ['negotiate', 'respond', thread_id, '--requester', 'b', '--file', 'x'] as const;
    expect(a.run(...answer).exit).toBe(64);
    expect(a.json(...answer, '--defer', '2h', '--reason', 'tests')).toMatchObject({
      action: 'defer',
      eta_minutes: 60,
    });
    expect(a.json(...answer, '--release')).toMatchObject({
      action: 'release',
      released: 1,
      released_files: ['x'],
    });
    expect(b.json('negotiate', 'pending')).toEqual({ requests: [], negotiation_timeouts: [] });
    expect(b.run(...ask).exit).toBe(64);
  });

  it('waits for the answer, and says when none came', () => {
    const at = scratch();
    as(at, 'a').run('lock', 'try', 'x');
    const told = as(at, 'b').run(
      'negotiate',
      'request',
      'x',
      '--of',
      'a',
      '--reason',
      'r',
      '--wait',
      '300ms',
    );
    expect([told.exit, told.stdout]).toEqual([1, 'no answer within 0 s\n']);
  });
});
