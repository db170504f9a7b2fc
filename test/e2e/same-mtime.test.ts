import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { guarded } from './client/guarded.ts';
import { type Answer, bash, edit, read, say, write } from './client/scenario.ts';
import { situation } from './client/stage.ts';

const NAME = 'a.txt';
const CASES: readonly (readonly [string, (file: string) => Answer])[] = [
  ['Edit', (file) => edit(file, 'two', 'TWO')],
  ['Write', (file) => write(file, 'one\nTWO\n')],
];

for (const [tool, change] of CASES) {
  situation(
    `a change that keeps size and mtime is noticed before a ${tool}, which the client alone lets through`,
    async ({ stage }) => {
      const scratch = guarded(stage, { [NAME]: 'one\ntwo\n' });
      const file = scratch.path(NAME);

      const { api } = await stage.play(
        scratch,
        {
          main: [
            change(file),
            ({ results }) => bash(lockCommandOf(denialOf(results[0]))),
            read(file),
            () => {
              // Node's utimes rounds to milliseconds, sometimes up: the client would see a newer file.
              writeFileSync(`${scratch.root}/old`, '');
              execFileSync('touch', ['-r', file, `${scratch.root}/old`]);
              scratch.write(NAME, 'ONE\ntwo\n');
              execFileSync('touch', ['-r', `${scratch.root}/old`, file]);
              return change(file);
            },
            say('Done.'),
          ],
        },
        { prompt: '[[main]] Write two in capitals.' },
      );

      expect(denialOf(api.at('main', 4).results[0])).toMatchObject({
        error_type: 'STALE_FILE',
        details: { cause: 'modified' },
      });
      expect(scratch.read(NAME)).toBe('ONE\ntwo\n');
    },
  );
}
