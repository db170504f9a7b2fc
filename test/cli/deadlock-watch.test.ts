/** `guard deadlock --watch`: the graph again whenever something happens. */
import { describe, expect, it } from 'vitest';
import { scratch } from '../claude/driver.ts';

const pause = (duration_ms: number) => new Promise((resolve) => setTimeout(resolve, duration_ms));

describe('guard deadlock --watch', () => {
  it('shows a circle when it closes and when it is over; ends with what it last showed', async () => {
    const at = scratch();
    at.guard('lock', 'try', 'a', '--agent', 'A');
    at.guard('lock', 'try', 'b', '--agent', 'B');
    const watching = at.startGuard({}, 'deadlock', '--watch', '--json');
    await pause(700);
    at.guard('lock', 'try', 'b', '--agent', 'A');
    at.guard('lock', 'try', 'a', '--agent', 'B');
    await pause(700);
    at.guard('lock', 'release', '--all-held', '--agent', 'A');
    await pause(700);
    watching.signal('SIGINT');
    const { exit, stdout } = await watching.done;
    const counts = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { cycles: readonly object[] }).cycles.length);
    expect(counts[0]).toBe(0);
    expect(counts).toContain(1);
    expect([counts.at(-1), exit]).toEqual([0, 0]);
  });

  it('exits with 1 while there is a circle', async () => {
    const at = scratch();
    for (const [file, agent] of ['a A', 'b B', 'b A', 'a B'].map(
      (pair) => pair.split(' ') as [string, string],
    ))
      at.guard('lock', 'try', file, '--agent', agent);
    const watching = at.startGuard({}, 'deadlock', '--watch');
    await pause(700);
    watching.signal('SIGTERM');
    expect((await watching.done).exit).toBe(1);
  });
});
