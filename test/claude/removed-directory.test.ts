/** The directory that a client works in was removed, and its variable names it relative to that. */
import { expect, it } from 'vitest';
import { GUARD, HOOK, oneAgent } from './driver.ts';

it('is named by the denial and by commands, instead of a bug of guard', () => {
  const { at, agent } = oneAgent();
  const event = agent.payload('PreToolUse', {
    tool_name: 'Write',
    tool_use_id: 'toolu_1',
    tool_input: { file_path: at.path('gone/a.txt'), content: 'x' },
  });
  at.put('event.json', JSON.stringify(event));
  const within = (line: string) =>
    at.shell(`mkdir gone && cd gone && exec 3<../event.json && rmdir ../gone && ${line}`, {
      ...agent.env,
      CLAUDE_PROJECT_DIR: '.',
    });
  const { exit, stderr } = within(`node ${HOOK} guard <&3`);
  expect(exit).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({
    error_type: 'GUARD_ERROR',
    details: { code: 'GUARD_ERR_PATH' },
    recovery_hint: expect.stringContaining('a directory that exists') as string,
  });
  expect(within(`node ${GUARD} status --json`).json()).toMatchObject({
    error: { code: 'GUARD_ERR_NOT_INITIALISED' },
  });
});
