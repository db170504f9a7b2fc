/** `guard undo` by agents, and of one agent's work. */
import { describe, expect, test } from 'vitest';

import { oneAgent, working } from '../claude/driver.ts';

interface File {
  readonly denial?: { readonly error_type: string };
}
const files = (answer: { json(): unknown }): readonly File[] =>
  (answer.json() as { files: readonly File[] }).files;

const ONE = 'a\nb\nc\n';

describe('an agent', () => {
  test('that holds the file gets back what it last wrote', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    at.put('x.txt', 'one\n');
    at.put('x.txt', 'two\n');
    expect(agent.guard('undo', at.path('x.txt')).exit).toBe(0);
    expect(at.read('x.txt')).toBe('a\nB\nc\n');
    // Undo counts as seeing the restored content.
    expect(agent.edit('x.txt', 'B', 'BB').pre.exit).toBe(0);
  });

  test('that holds it and changed it last takes its own change back', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    expect(agent.guard('undo', at.path('x.txt')).exit).toBe(0);
    expect(at.read('x.txt')).toBe(ONE);
  });

  test('that does not hold it is refused as any writer is', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE, 'free.txt': ONE } });
    agent.lock('x.txt', 'free.txt');
    agent.read('x.txt');
    agent.read('free.txt');
    agent.edit('x.txt', 'b', 'B');
    agent.edit('free.txt', 'b', 'B');
    agent.guard('lock', 'release', at.path('free.txt'));
    const other = working(at);
    const held = other.guard('undo', at.path('x.txt'), '--json');
    expect([held.exit, files(held)[0]?.denial?.error_type]).toEqual([1, 'LOCKED_BY_OTHER']);
    const free = other.guard('undo', at.path('free.txt'), '--json');
    expect([free.exit, files(free)[0]?.denial?.error_type]).toEqual([1, 'NOT_LOCKED']);
    expect(at.read('x.txt') + at.read('free.txt')).toBe('a\nB\nc\n'.repeat(2));
  });

  test('cannot restore an older state of the files that keep guard running', () => {
    const { at, agent } = oneAgent({ files: { 'guard.config.json': '{}\n' } });
    const person = '{"preset":"strict"}\n';
    agent.read('guard.config.json');
    at.put('guard.config.json', person);
    const told = agent.guard('undo', at.path('guard.config.json'), '--to', '0', '--json');
    expect(told.exit).not.toBe(0);
    expect(at.read('guard.config.json')).toBe(person);
  });
});

describe('the changes of one agent', () => {
  test('are reverted in every file, as long as no one built on them', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE, 'y.txt': ONE } });
    agent.lock('x.txt', 'y.txt');
    for (const name of ['x.txt', 'y.txt']) {
      agent.read(name);
      agent.edit(name, 'b', 'B');
      agent.edit(name, 'c', 'C');
    }
    agent.guard('lock', 'release', '--all-held');
    expect(at.guard('undo', '--agent', agent.name).exit).toBe(0);
    expect([at.read('x.txt'), at.read('y.txt')]).toEqual([ONE, ONE]);
  });

  test('are taken out from under what another one wrote elsewhere in the file', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${String(at)}\n`).join('');
    const { at, agent } = oneAgent({ files: { 'x.txt': lines } });
    const other = working(at);
    for (const [who, from, to] of [
      [agent, 'line 3\n', 'agent\n'],
      [other, 'line 30\n', 'other\n'],
    ] as const) {
      who.lock('x.txt');
      who.read('x.txt');
      who.edit('x.txt', from, to);
      who.guard('lock', 'release', at.path('x.txt'));
    }
    expect(at.guard('undo', 'x.txt', '--agent', agent.name).exit).toBe(0);
    expect(at.read('x.txt')).toBe(lines.replace('line 30\n', 'other\n'));
  });

  test('stay where another one wrote over the same lines', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    const other = working(at);
    for (const [who, from, to] of [
      [agent, 'b', 'agent'],
      [other, 'agent', 'other'],
    ] as const) {
      who.lock('x.txt');
      who.read('x.txt');
      who.edit('x.txt', from, to);
      who.guard('lock', 'release', at.path('x.txt'));
    }
    const told = at.guard('undo', 'x.txt', '--agent', agent.name, '--json');
    expect([told.exit, told.json()]).toMatchObject([1, { error: { code: 'GUARD_ERR_UNDO' } }]);
    expect(at.read('x.txt')).toBe('a\nother\nc\n');
  });
});
