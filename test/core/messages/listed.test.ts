/** Which agents are listed, and with which status, when nothing is heard from them. */
import { describe, expect, it } from 'vitest';
import { listAgents } from '../../../src/core/rules/profile.ts';
import { agent, proc, World } from '../world.ts';

const HOUR_MS = 3_600_000;

describe('an agent without a process to look at', () => {
  const listed = (hours: number, more = {}) => {
    const world = new World();
    const who = agent('http', more);
    world.run({ type: 'agent.describe', who, status: '' });
    world.pass(hours * HOUR_MS);
    return { world, who, row: () => world.look(listAgents)[0] };
  };

  it('is idle after a lease’s time, and gone after a day', () => {
    expect(listed(0).row()).toMatchObject({ status: 'active', is_alive: true });
    expect(listed(23).row()).toMatchObject({ status: 'idle', is_alive: true });
    expect(listed(25).row()).toMatchObject({ status: 'gone', is_alive: false });
  });

  it('is back at its next sign of life', () => {
    const { world, who, row } = listed(25);
    world.run({ type: 'agent.present', who });
    expect(row()).toMatchObject({ status: 'active', is_alive: true });
  });

  it('with a process stays as long as that', () => {
    expect(listed(25, { proc: proc(1) }).row()).toMatchObject({ status: 'idle', is_alive: true });
  });
});
