/** Drafted agents without a supervisor, with the real client: their hooks end them, and no answer is lost. */
import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { logOf } from './client/guarded.ts';
import { read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { until } from './client/until.ts';
import { marksOf, processesOf, yard } from './harness.ts';

const REPORT = 'Done.\n```json\n{"summary":"worked on","changes":[],"issues":[],"questions":[]}\n```';

situation(
  'the supervisors of two agents are killed: one is ended before its next tool, the other has reported at its turn’s end',
  async ({ stage }) => {
    const [calls, reports, killed] = [makeGate(), makeGate(), makeGate()];
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      {
        calls: [
          async () => {
            calls.open();
            await killed.opened;
            return read(at.scratch.path('a.txt'));
          },
          say('Nobody hears this.'),
        ],
        reports: [
          async () => {
            reports.open();
            await killed.opened;
            return say(REPORT);
          },
        ],
      },
    );
    const first = await at.draft('dev', '[[calls]] Read it.');
    const second = await at.draft('dev', '[[reports]] Report.');
    await Promise.all([calls.opened, reports.opened]);
    // Both together: neither ends what is left of the other.
    const marks = [first, second].map((id) => marksOf(at, id));
    for (const { supervisor } of marks) process.kill(supervisor.pid, 'SIGKILL');
    killed.open();
    await until('both ends are on record', () => logOf(at.scratch, '--type', 'exit').length === 2);
    expect(await at.await(first)).toMatchObject({ status: 'failed', reason: 'its supervisor died' });
    expect(await at.await(second)).toMatchObject({ status: 'completed', result: { summary: 'worked on' } });
    expect(processesOf([first, second])).toEqual([]);
  },
);
