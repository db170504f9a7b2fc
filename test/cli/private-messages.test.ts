/** Messages are readable by their participants and by people. */
import { describe, expect, it } from 'vitest';
import { scratch, type Session, working } from '../claude/driver.ts';

function three() {
  const at = scratch();
  const [alice, bob, carol] = [working(at), working(at), working(at)];
  const sent = alice.guard(
    'message',
    'send',
    'for bob alone',
    '--subject',
    'hush',
    '--to',
    bob.name,
    '--json',
  );
  const { thread_id } = sent.json() as { thread_id: string };
  bob.guard('message', 'send', 'and for alice', '--to', alice.name, '--thread', thread_id);
  return { at, alice, bob, carol, thread_id };
}

describe('a thread', () => {
  const read = (agent: Session, id: string): string[] =>
    (agent.guard('message', 'thread', id, '--json').json() as { messages: { body: string }[] }).messages.map(
      ({ body }) => body,
    );

  it('is shown to both, to a person, and to no one else', () => {
    const { at, alice, bob, carol, thread_id } = three();
    for (const one of [alice, bob]) expect(read(one, thread_id)).toEqual(['for bob alone', 'and for alice']);
    expect(read(carol, thread_id)).toEqual([]);
    expect(carol.guard('message', 'thread', thread_id).exit).toBe(1);
    expect(at.guard('message', 'thread', thread_id).stdout).toContain('for bob alone');
    expect(read(alice.subagent('s1'), thread_id)).toEqual([]);
  });

  it('does not open to an agent that writes into it', () => {
    const { bob, carol, thread_id } = three();
    carol.guard('message', 'send', 'me too', '--to', bob.name, '--thread', thread_id);
    expect(read(carol, thread_id)).toEqual(['me too']);
    expect(read(bob, thread_id)).toHaveLength(3);
  });
});

describe('guard log', () => {
  it('hides the text of messages between others from agents, and shows it to people', () => {
    const { at, alice, carol } = three();
    for (const json of [[], ['--json']]) {
      const seen = carol.guard('log', ...json).stdout;
      expect(seen).not.toMatch(/for bob alone|and for alice|hush/);
      expect(alice.guard('log', ...json).exit).toBe(0);
    }
    const lines = carol.guard('log', '--json', '--type', 'message').lines();
    expect(lines).toMatchObject([{ agent: alice.name }, {}]);
    expect(JSON.stringify(lines)).toContain('[between others]');
    expect(alice.guard('log', '--json').stdout).toMatch(/for bob alone[^]*and for alice/);
    expect(at.guard('log', '--json').stdout).toContain('for bob alone');
    expect(at.guardWith({ GUARD_AGENT_ID: 'robot' }, 'log', '--json').stdout).not.toContain('for bob alone');
  });
});
