import { expect, test } from 'vitest';

import { withContext } from '../../src/claude/output-added.ts';
import { context, rewriteInput, SILENT } from '../../src/claude/output.ts';

const said = (stdout: string): unknown => JSON.parse(stdout);

test('a note beside a rewritten call leaves the rewriting in place', () => {
  const output = withContext('PreToolUse', rewriteInput({ command: 'ls # mark' }), 'news');
  expect(said(output.stdout)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      updatedInput: { command: 'ls # mark' },
      additionalContext: 'news',
    },
  });
});

test('a note goes behind those that are there, and stands alone where there are none', () => {
  const { stdout } = withContext('Stop', context('Stop', ['first']), 'second');
  expect(said(stdout)).toMatchObject({ hookSpecificOutput: { additionalContext: 'first\n\nsecond' } });
  expect(withContext('Stop', SILENT, 'alone')).toEqual(context('Stop', ['alone']));
});
