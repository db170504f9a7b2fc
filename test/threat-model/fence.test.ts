/** Commands in a session with a fence (docs/fence.md), with guard as `guard init` leaves it. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Fenced } from '../fence/client.ts';
import { canFence } from '../fence/machine.ts';
import { installed } from './installed.ts';

function two() {
  const at = installed({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n' } });
  const [holder, other] = [new Fenced(at), new Fenced(at)];
  holder.session.lock('a.txt');
  return { at, holder, other };
}

describe('its command writes what another agent holds', () => {
  it('through a script that a program of its own starts: refused, and told who holds it', () => {
    const { at, holder, other } = two();
    if (!canFence()) {
      expect(other.preamble).toBe('');
      return;
    }
    const command = `printf 'import os\\nos.system("echo x > a.txt")\\n' > s.py; python3 s.py`;
    expect(other.bash(command).notes).toContain(holder.session.name);
    expect(at.read('a.txt')).toBe('one\n');
  });
});

describe("it writes another agent's mark behind a command", () => {
  it('of another session, and of its parent: neither file is written', () => {
    const { at, holder, other } = two();
    if (!canFence()) {
      expect(other.preamble).toBe('');
      return;
    }
    const sub = other.subagent('s1');
    other.session.lock('b.txt');
    for (const name of [holder.session.name, 'main', other.session.name])
      sub.bash(`(echo x > a.txt; echo x > b.txt) 2>/dev/null; true\n# guard:${name} 00000000`);
    expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['one\n', 'b\n']);
  });
});

describe('it leaves the fence', () => {
  it('by a hard link that was made before, and by an edited list of what is held', () => {
    const { at, other } = two();
    if (!canFence()) {
      expect(other.preamble).toBe('');
      return;
    }
    fs.linkSync(at.path('a.txt'), at.path('same.txt'));
    other.bash('echo linked > same.txt');
    expect(at.read('a.txt')).toBe('linked\n');
    other.bash(`python3 -c 'import os; os.truncate(os.path.join(".git", "guard", "fence", "held"), 0)'`);
    other.bash('echo unfenced > a.txt');
    expect(at.read('a.txt')).toBe('unfenced\n');
  });
});
