import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { makeGate } from './client/gate.ts';
import { guarded, holdersOf, logOf } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'a client that is killed with a lock in its hand does not keep the next one from it',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\ntwo\n' });
    const file = scratch.path('a.txt');
    const locked = makeGate();
    let lock = '';
    const api = await stage.api({
      first: [
        edit(file, 'one', 'ONE'),
        ({ results }) => bash((lock = lockCommandOf(denialOf(results[0])))),
        async () => {
          locked.open();
          return new Promise<never>(() => undefined);
        },
      ],
      second: [() => bash(lock), read(file), edit(file, 'two', 'TWO'), say('Done.')],
    });

    const first = stage.start(api, scratch, { prompt: '[[first]] Do one.' });
    await locked.opened;
    const acknowledged = logOf(scratch);
    first.signal('SIGKILL');
    const killed = await first.done;
    const second = await stage.start(api, scratch, { prompt: '[[second]] Do two.' }).done;

    expect(killed.signal).toBe('SIGKILL');
    expect(acknowledged.map(({ type }) => type)).toContain('hold');
    expect(logOf(scratch).slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(scratch.guard('verify').code).toBe(0);
    expect(api.results('second').map(({ is_error }) => is_error)).toEqual([false, false, false]);
    expect(scratch.read('a.txt')).toBe('one\nTWO\n');
    expect([...new Set(holdersOf(scratch, 'a.txt').flat())]).toEqual([
      `claude-${killed.session}`,
      `claude-${second.session}`,
    ]);
  },
);
