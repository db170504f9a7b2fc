/** Many agents at the same time, on one server and in separate processes: one victim, and all get what they want. */
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';
import { serve, type Told } from './client.ts';

const AGENTS = 6;

describe(`${AGENTS} agents in a circle, each holding a file and waiting for the next one's`, () => {
  it('exactly one is told to let go, and then all of them finish', async () => {
    const at = scratch();
    const { as } = await serve(at);
    const names = Array.from({ length: AGENTS }, (_, n) => `claude-${n}`);
    for (const [n, name] of names.entries())
      expect((await as(name).lockTry(`f${n}`)).all_acquired).toBe(true);
    const outcomes = await Promise.all(names.map((name, n) => finish(name, n)));
    expect(outcomes.flat().filter((error) => error === 'DEADLOCK')).toHaveLength(1);
    expect(at.log('deadlock')).toMatchObject([{ victim: names.at(-1), cycle: { length: AGENTS } }]);
    expect(at.guard('deadlock').exit).toBe(0);
    expect(at.guard('verify').exit).toBe(0);

    /** Every second agent uses commands. Returns the errors on the way to both files. */
    async function finish(name: string, n: number): Promise<readonly (string | undefined)[]> {
      const [own, next] = [`f${n}`, `f${(n + 1) % AGENTS}`];
      const errors: (string | undefined)[] = [];
      for (let tries = 0; tries < 10; tries++) {
        const told = n % 2 === 0 ? await as(name).lockWait(30, next) : await byCommand(name, next);
        errors.push(told.results[0]?.error);
        if (told.all_acquired === true) break;
        await as(name).release(own);
      }
      await as(name).call('lock_release_all');
      return errors;
    }

    async function byCommand(name: string, file: string): Promise<Told> {
      const done = await at.startGuard(
        {},
        'lock',
        'wait',
        file,
        '--agent',
        name,
        '--timeout',
        '30s',
        '--json',
      ).done;
      return JSON.parse(done.stdout) as Told;
    }
  });
});
