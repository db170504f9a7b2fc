import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { denialOf, lockCommandOf } from './client/denial.ts';
import { failedHooks, guarded, logOf, userSettings } from './client/guarded.ts';
import { bash, edit, read, say } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation } from './client/stage.ts';

/** Puts blanks around every `=` of the file that was just written. */
const FORMATTER = `
const { tool_input } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const format = () => {
  const text = require('node:fs').readFileSync(tool_input.file_path, 'utf8');
  require('node:fs').writeFileSync(tool_input.file_path, text.replaceAll(/ *= */g, ' = '));
};
setTimeout(format, Number(process.argv[2]));
`;

function withFormatter(scratch: Scratch, delay_ms: number): void {
  const program = join(scratch.root, 'format.cjs');
  writeFileSync(program, FORMATTER);
  const command = `"${process.execPath}" "${program}" ${delay_ms}`;
  userSettings(scratch, {
    permissions: { allow: ['Read', 'Edit', 'Write'] },
    hooks: { PostToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command }] }] },
  });
}

for (const delay_ms of [0, 400]) {
  situation(
    `a formatter that rewrites the file ${delay_ms} ms after the write is told, and denies nothing`,
    async ({ stage }) => {
      const scratch = guarded(stage, { 'a.ini': 'a=1\nb=1\nc=1\n' });
      withFormatter(scratch, delay_ms);
      const file = scratch.path('a.ini');

      const { run, api } = await stage.play(
        scratch,
        {
          main: [
            read(file),
            edit(file, 'a=1', 'a=2'),
            ({ results }) => bash(lockCommandOf(denialOf(results[0]))),
            edit(file, 'a=1', 'a=2'),
            edit(file, 'b = 1', 'b=2'),
            edit(file, 'c = 1', 'c=2'),
            say('Done.'),
          ],
        },
        { prompt: '[[main]] Set all to 2.' },
      );

      expect(api.results('main').map(({ is_error }) => is_error)).toEqual([
        false,
        true,
        false,
        false,
        false,
        false,
      ]);
      expect(scratch.read('a.ini')).toBe('a = 2\nb = 2\nc = 2\n');
      const told = [4, 5, 6].map((step) => api.at('main', step).texts.join('\n'));
      expect(told[0]).toContain('b = 1');
      expect(told[1]).toContain('b = 2');
      expect(told[2]).toContain('c = 2');
      expect(logOf(scratch, '--type', 'write.rejected')).toHaveLength(1);
      expect(logOf(scratch, '--type', 'write.raced')).toEqual([]);
      expect(failedHooks(run)).toEqual([]);
    },
  );
}
