import { expect } from 'vitest';

import { failedHooks, guarded, holdersOf } from './client/guarded.ts';
import { naive } from './client/obedient.ts';
import { edit, write } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import type { Job } from './client/steps.ts';

/** The number of writes per client. */
const ROUNDS = Number(process.env['GUARD_E2E_ROUNDS'] ?? 4);

const rounds = (name: string): readonly string[] =>
  Array.from({ length: ROUNDS }, (_, round) => `${name}${round}`);

situation(
  'two clients that edit one file at once lose nothing, and never hold it together',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'log.txt': 'BEGIN\nEND\n' });
    const file = scratch.path('log.txt');
    const append = (line: string): Job => ({ file, write: () => edit(file, 'END\n', `${line}\nEND\n`) });
    const api = await stage.api({
      a: naive(rounds('a').map(append)).turn,
      b: naive(rounds('b').map(append)).turn,
    });

    const runs = await Promise.all([
      stage.start(api, scratch, { prompt: '[[a]] Append.' }).done,
      stage.start(api, scratch, { prompt: '[[b]] Append.' }).done,
    ]);

    const lines = scratch.read('log.txt').split('\n').filter(Boolean);
    expect(lines.at(0)).toBe('BEGIN');
    expect(lines.at(-1)).toBe('END');
    expect(lines.slice(1, -1).sort()).toEqual([...rounds('a'), ...rounds('b')]);
    expect(lines.filter((line) => line.startsWith('a'))).toEqual(rounds('a'));
    expect(Math.max(...holdersOf(scratch, 'log.txt').map((holders) => holders.length))).toBe(1);
    expect(new Set(holdersOf(scratch, 'log.txt').flat())).toEqual(
      new Set(runs.map(({ session }) => `claude-${session}`)),
    );
    expect(scratch.guard('verify').code).toBe(0);
    expect(runs.flatMap(failedHooks)).toEqual([]);
  },
);

situation('two clients that create the same new file at once both end up in it', async ({ stage }) => {
  const scratch = guarded(stage, {});
  const file = scratch.path('new.txt');
  const add = (line: string): Job => ({ file, write: (text) => write(file, `${text}${line}\n`) });
  const [a, b] = [naive([add('from a')]), naive([add('from b')])];
  const api = await stage.api({ a: a.turn, b: b.turn });

  const runs = await Promise.all([
    stage.start(api, scratch, { prompt: '[[a]] Create it.' }).done,
    stage.start(api, scratch, { prompt: '[[b]] Create it.' }).done,
  ]);

  expect(scratch.read('new.txt').split('\n').filter(Boolean).sort()).toEqual(['from a', 'from b']);
  expect([...a.denied(), ...b.denied()]).toContain('NOT_LOCKED');
  expect(runs.flatMap(failedHooks)).toEqual([]);
});
