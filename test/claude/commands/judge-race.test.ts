/** Two agents and one file: real hook processes, started as two clients would start them simultaneously. */
import { expect, it } from 'vitest';
import { oneAgent, working } from '../driver.ts';

it('of two that run the same sed at once one gets the file, and the other is told who has it', async () => {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
  at.git('add', '-A');
  const other = working(at);
  for (let round = 0; round < 3; round++) {
    const calls = [agent, other].map((one) => ({
      one,
      call: one.call('Bash', { command: "sed -i 's/one/two/' a.txt" }),
    }));
    const answers = await Promise.all(calls.map(({ one, call }) => one.preLater(call)));
    expect(answers.map(({ exit }) => exit).sort()).toEqual([0, 2]);
    const [refused] = answers.filter(({ exit }) => exit === 2);
    const winner = calls[answers.findIndex(({ exit }) => exit === 0)];
    expect(refused?.denial).toMatchObject({
      error_type: 'LOCKED_BY_OTHER',
      details: { holder: winner?.one.name, also: ['WRITE_IN_FLIGHT'] },
    });
    if (winner !== undefined) expect(winner.one.post(winner.call, { stdout: '', stderr: '' }).exit).toBe(0);
  }
  expect(at.log('hold').filter(({ auto }) => auto === true)).toHaveLength(3);
});
