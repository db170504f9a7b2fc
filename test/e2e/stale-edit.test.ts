import { createHash } from 'node:crypto';

import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { failedHooks, guarded, logOf } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import { situation } from './client/stage.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

situation(
  'an Edit is denied as STALE_FILE after somebody else changed the file, and lands after the named steps',
  async ({ stage }) => {
    const [old, changed] = ['one\ntwo\nthree\n', 'one\ntwo\nthree\nfour\n'];
    const scratch = guarded(stage, { 'src/a.txt': old });
    const file = scratch.path('src/a.txt');
    const change = edit(file, 'two', 'TWO');
    const after_denial: string[] = [];

    const { run, api } = await stage.play(
      scratch,
      {
        main: [
          read(file),
          () => {
            scratch.write('src/a.txt', changed);
            return change;
          },
          ({ results }) => {
            after_denial.push(scratch.read('src/a.txt'));
            return bash(lockCommandOf(denialOf(results[0])));
          },
          read(file),
          change,
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Write two in capitals.' },
    );

    const denial = denialOf(api.at('main', 2).results[0]);
    expect(denial).toMatchObject({
      error_type: 'STALE_FILE',
      message: 'File modified by another actor. Re-read required.',
      details: {
        path: file,
        baseline_hash: digest(old),
        current_disk_hash: digest(changed),
        cause: 'modified',
        changed_by: 'outside',
        also: ['NOT_LOCKED'],
      },
      recovery_hint: "Perform a new 'read_file' to see the latest changes before attempting to write again.",
    });
    expect(denial.details.next?.findIndex((step) => step.includes(' lock try '))).toBe(0);
    expect(after_denial).toEqual([changed]);
    expect(api.results('main').map(({ is_error }) => is_error)).toEqual([false, true, false, false, false]);
    expect(scratch.read('src/a.txt')).toBe('one\nTWO\nthree\nfour\n');
    expect(failedHooks(run)).toEqual([]);

    const rejected = logOf(scratch, '--type', 'write.rejected');
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({
      agent: `claude-${run.session}`,
      denial: { error_type: 'STALE_FILE' },
    });
  },
);
