import { expect, test } from 'vitest';
import { pluginNote } from '../../src/claude/plugin-note.ts';

const plugin = { CLAUDE_PLUGIN_ROOT: '/plugins/guard' };

test.each([
  ['no plugin', {}, false],
  ['2.1.100 and older, which do not say who they are', plugin, true],
  ['2.1.199', { ...plugin, AI_AGENT: 'claude-code_2-1-199_harness' }, true],
  ['2.1.200', { ...plugin, AI_AGENT: 'claude-code_2-1-200_harness' }, false],
  ['2.1.330', { ...plugin, AI_AGENT: 'claude-code_2-1-330_agent' }, false],
  ['2.2.0', { ...plugin, AI_AGENT: 'claude-code_2-2-0_agent' }, false],
  ['1.9.900', { ...plugin, AI_AGENT: 'claude-code_1-9-900_agent' }, true],
])('a session is told of a client that drops the newer events: %s', (_, env, isTold) => {
  expect(pluginNote(env).includes('2.1.200')).toBe(isTold);
});
