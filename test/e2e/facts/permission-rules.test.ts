import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { recordHooks } from '../client/record.ts';
import { bash, say } from '../client/scenario.ts';
import { situation } from '../client/stage.ts';

const ID = 'claude-0b1c2d3e-1111-2222-3333-444455556666~2/a314b105b2ad374f7';

/** What guard's hook appends to the command lines of subagents (src/claude/shell/mark.ts). */
const MARK = '\n# guard:a314b105b2ad374f7 0a1b2c3d';

/** The command, a hook's replacement for it (`null` if none), and whether the rule `Bash(guard lock:*)` lets it run. */
const COMMANDS: readonly (readonly [string, string | null, boolean])[] = [
  ['guard lock try a', null, true],
  ['guard lock try a && guard lock try b', null, true],
  [
    'guard lock try c && guard lock try d',
    `guard lock try c --agent ${ID} && guard lock try d --agent ${ID}`,
    true,
  ],
  ['guard lock try e', `guard lock try --agent '${ID}' e`, true],
  ['guard lock try f', `guard lock --agent ${ID} try f`, true],
  ['guard lock try g', `guard --agent ${ID} lock try g`, false],
  ['guard lock try h', `GUARD_AGENT_ID=${ID} guard lock try h`, false],
  ['guard lock try i', `export GUARD_AGENT_ID=${ID}; guard lock try i`, false],
  ['guard lock try l', `guard lock try l${MARK}`, true],
  ['guard lock try m && guard lock try n', `guard lock try m && guard lock try n${MARK}`, true],
  ['guard lock try o 2>&1 | cat', `guard lock try o 2>&1 | cat${MARK}`, true],
  ['guard lock try p \\', `guard lock try p \\${MARK}`, true],
  ['guard status --watch', `guard status --watch${MARK}`, false],
  ['rm -f a', `rm -f a${MARK}`, false],
  ['guard status', null, false],
  ['guard lock try $(echo j)', null, false],
  ['cd . && guard lock try k 2>&1 | cat', null, true],
];

situation(
  'the rule for guard lock covers a chain of calls, --agent behind "lock" and a mark in the last line, and no variable before them',
  async ({ stage }) => {
    const scratch = stage.scratch();
    const bin = join(scratch.root, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'guard'), '#!/bin/sh\necho "GUARD $@"\n');
    chmodSync(join(bin, 'guard'), 0o755);
    const answers = COMMANDS.filter(([, updated]) => updated !== null).map(([command, updated]) => ({
      event: 'PreToolUse',
      says: JSON.stringify(command),
      stdout: {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          updatedInput: { command: updated, description: 'It' },
        },
      },
    }));
    recordHooks(scratch, answers, { permissions: { allow: ['Bash(guard lock:*)'] } });

    const { api } = await stage.play(
      scratch,
      { main: [...COMMANDS.map(([command]) => bash(command)), say('Done.')] },
      { prompt: '[[main]] Go.', env: { PATH: `${bin}:${scratch.env['PATH'] ?? ''}` } },
    );

    const ran = api.results('main').map(({ is_error, text }) => !is_error && text.startsWith('GUARD'));
    expect(COMMANDS.map(([command], index) => [command, ran[index]])).toEqual(
      COMMANDS.map(([command, , runs]) => [command, runs]),
    );
  },
);
