/** Which agent a process speaks for where machines share the ledger, which name each other in it. */
import { describe, expect, it } from 'vitest';
import { identityIn } from '../../src/claude/identity.ts';
import type { Json } from '../../src/core/ledger.ts';
import { agent, proc, World } from '../core/world.ts';

const own = proc(1);
const shared = { machine: 'named', machine_boot: own.boot };

/** The name of the process, with the session recorded for a process of `machine`. */
function nameOn(machine: string, facts: object): string {
  const world = new World();
  world.run({ type: 'agent.present', who: agent('s', { proc: { ...own, machine } }) });
  const states = {
    get:
      () =>
      (key: string): Json | undefined =>
        world.states.get(key),
  };
  return identityIn(states, 'claude-s', own, { ...world.facts, ...facts }).id;
}

describe('a process of a session', () => {
  it('keeps its name on a shared ledger, which has another name for its machine', () =>
    expect(nameOn('named', shared)).toBe('claude-s'));

  it('has a name of its own where another machine has a process with all the same numbers', () => {
    expect(nameOn('another', shared)).toBe('claude-s~2');
    expect(nameOn('another', {})).toBe('claude-s~2');
  });
});
