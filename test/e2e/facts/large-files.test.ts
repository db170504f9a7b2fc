import { expect } from 'vitest';

import { type Payload, recorded, recordHooks } from '../client/record.ts';
import { edit, read, say, use, write } from '../client/scenario.ts';
import { situation } from '../client/stage.ts';

const lines = (count: number, width: number): string =>
  Array.from({ length: count }, (_, index) => `${String(index + 1).padEnd(width - 1, 'x')}\n`).join('');

situation(
  'a large file is read in part or not at all, and a very large one has no originalFile after a Write',
  async ({ stage }) => {
    const scratch = stage.scratch({
      'tokens.txt': lines(2_500, 60),
      'bytes.txt': lines(3_000, 100),
      'written.txt': lines(110_000, 100),
      'edited.txt': `first\n${lines(110_000, 100)}`,
    });
    recordHooks(scratch, [], { permissions: { allow: ['Read', 'Edit', 'Write'] } });

    await stage.play(
      scratch,
      {
        main: [
          read(scratch.path('tokens.txt')),
          read(scratch.path('bytes.txt')),
          use('Read', { file_path: scratch.path('bytes.txt'), allow_large: true }),
          write(scratch.path('written.txt'), 'new\n'),
          edit(scratch.path('edited.txt'), 'first', 'FIRST'),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Go.' },
    );

    const events = recorded(scratch).map(({ event }) => event);
    const of = (step: number): Payload | undefined =>
      events.find(
        ({ hook_event_name, tool_use_id }) =>
          hook_event_name !== 'PreToolUse' && tool_use_id === `toolu_main_${step}_0`,
      );
    const cut = (of(0)?.tool_response as { file: { numLines: number; totalLines: number; content: string } })
      .file;
    expect(cut).toMatchObject({ truncatedByTokenCap: true, totalLines: 2_501 });
    expect(cut.content.split('\n')).toHaveLength(cut.numLines);
    expect(of(1)).toMatchObject({ hook_event_name: 'PostToolUseFailure' });
    expect(of(2)?.tool_response).toMatchObject({ file: { numLines: 3_001, totalLines: 3_001 } });
    expect(of(3)?.tool_response).toMatchObject({ type: 'update', originalFile: null, structuredPatch: [] });
    expect((of(4)?.tool_response as { originalFile: string }).originalFile).toHaveLength(11_000_006);
  },
);
