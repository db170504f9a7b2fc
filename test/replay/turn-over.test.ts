import { describe, expect, it } from 'vitest';
import type { RecordingStep } from '../../src/replay/recording.ts';
import { restAfter } from '../../src/replay/turn-over.ts';

const event = (hook_event_name: string, session_id: string): RecordingStep => ({
  ...{ kind: 'event', line: 1, stdin: '', env: {} },
  payload: { hook_event_name, session_id },
});
const locks = (session: string): RecordingStep => ({
  ...{ kind: 'guard', line: 1, args: ['lock', 'try', 'a'] },
  env: { CLAUDE_CODE_SESSION_ID: session },
});
const file: RecordingStep = { kind: 'file', line: 1, path: '/repo/a', change: { delete: true } };

describe('after a Stop, a replay', () => {
  it.each([
    ['waits where another session is next', [event('Stop', 'a'), file, event('PreToolUse', 'b')], true],
    ['waits where a command of another session is next', [event('StopFailure', 'a'), locks('b')], true],
    ['goes on where the agent was sent back to work', [event('Stop', 'a'), event('PreToolUse', 'a')], false],
    ['goes on at the end', [event('Stop', 'a'), file], false],
    ['of a subagent goes on', [event('SubagentStop', 'a'), locks('b')], false],
  ] as const)('%s', (_, steps, waits) => {
    expect(restAfter(steps, 0) > 3_000).toBe(waits);
  });
});
