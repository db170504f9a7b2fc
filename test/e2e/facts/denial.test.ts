import { expect } from 'vitest';

import { recorded, recordHooks } from '../client/record.ts';
import { bash, both, edit, read, say, write } from '../client/scenario.ts';
import { situation } from '../client/stage.ts';

const REASON = '{"error_type":"STALE_FILE",\n"details":{"é✓":"<tags> & \\"quotes\\""}}';
const FLAT = { permissionDecision: 'deny', permissionDecisionReason: REASON };
/** The form that every client understands, as guard prints it. */
const DENY = {
  decision: 'block',
  reason: REASON,
  ...FLAT,
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...FLAT },
};

situation(
  'a denied call ends without Post event; the model reads the reason verbatim and once; PostToolBatch comes before its next turn',
  async ({ stage }) => {
    const scratch = stage.scratch({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const [a, b] = [scratch.path('a.txt'), scratch.path('b.txt')];
    recordHooks(
      scratch,
      [{ event: 'PreToolUse', tool: 'Edit', says: 'b.txt', exit: 2, stdout: DENY, stderr: REASON }],
      {
        permissions: { allow: ['Read', 'Edit', 'Write', 'Bash(exit:*)'] },
      },
    );

    const { api } = await stage.play(
      scratch,
      {
        main: [
          both(read(a), edit(b, 'b', 'B'), write(a, 'A\n'), bash('exit 3'), edit(a, 'nowhere', 'x')),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Go.' },
    );

    expect(api.at('main', 1).results[1]).toEqual({
      id: 'toolu_main_0_1',
      is_error: true,
      text: `PreToolUse:Edit hook error: ${REASON}`,
    });
    const events = recorded(scratch).map(({ event }) => event);
    const of = (id: string): readonly string[] =>
      events.filter(({ tool_use_id }) => tool_use_id === id).map(({ hook_event_name }) => hook_event_name);
    expect(of('toolu_main_0_0')).toEqual(['PreToolUse', 'PostToolUse']);
    expect(of('toolu_main_0_1'), 'denied').toEqual(['PreToolUse']);
    expect(of('toolu_main_0_2')).toEqual(['PreToolUse', 'PostToolUse']);
    expect(of('toolu_main_0_3'), 'failed').toEqual(['PreToolUse', 'PostToolUseFailure']);
    expect(of('toolu_main_0_4'), 'refused in validation').toEqual([]);
    const batches = events.filter(({ hook_event_name }) => hook_event_name === 'PostToolBatch');
    expect(batches).toHaveLength(1);
    expect(
      (batches[0]?.['tool_calls'] as readonly { tool_use_id: string }[]).map((call) => call.tool_use_id),
    ).toHaveLength(5);
  },
);
