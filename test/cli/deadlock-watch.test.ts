/** `guard deadlock --watch`: prints the graph again after every change. */
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';

/** Long enough for a busy machine. */
const PATIENTLY = { timeout: 30_000, interval: 20 };

describe('guard deadlock --watch', () => {
  it('shows a cycle when it closes and when it has ended; exits according to the last state shown', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'a', '--agent', 'A');
    at.guard('lock', 'try', 'b', '--agent', 'B');
    const watching = at.startGuard({}, 'deadlock', '--watch', '--json');
    const counts = (): readonly number[] =>
      watching
        .told()
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as { cycles: readonly object[] }).cycles.length);
    await expect.poll(counts, PATIENTLY).toEqual([0]);
    at.guard('lock', 'try', 'b', '--agent', 'A');
    at.guard('lock', 'try', 'a', '--agent', 'B');
    await expect.poll(counts, PATIENTLY).toContain(1);
    at.guard('lock', 'release', '--all-held', '--agent', 'A');
    await expect.poll(() => counts().at(-1), PATIENTLY).toBe(0);
    watching.signal('SIGINT');
    const { exit } = await watching.done;
    expect(counts()[0]).toBe(0);
    expect([counts().at(-1), exit]).toEqual([0, 0]);
  });

  it('exits with 1 while there is a cycle', async () => {
    const at = scratch();
    for (const [file, agent] of ['a A', 'b B', 'b A', 'a B'].map(
      (pair) => pair.split(' ') as [string, string],
    ))
      at.guard('lock', 'try', file, '--agent', agent);
    const watching = at.startGuard({}, 'deadlock', '--watch');
    await expect.poll(watching.told, PATIENTLY).not.toBe('');
    watching.signal('SIGTERM');
    expect((await watching.done).exit).toBe(1);
  });
});
