/** Permission rules match with guard as they do without it, also where command lines are marked. */
import { expect } from 'vitest';

import { guarded, userSettings } from './client/guarded.ts';
import type { ToolResult } from './client/messages.ts';
import { bash, delegate, say } from './client/scenario.ts';
import type { Answer, Seen } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situationWith } from './client/stage.ts';
import type { Stage } from './client/stage.ts';

const ALLOW = ['Read', 'Edit', 'Bash(touch one.txt)', 'Bash(mkdir:*)', 'Bash(sort:* )'];
const LINES = [
  'touch one.txt',
  'touch two.txt',
  'mkdir -p d/e',
  'mkdir f && touch two.txt',
  'rm x.txt',
  'ls && cat x.txt',
  'echo hi > own.txt',
];

const commands = (results: ToolResult[]): ((seen: Seen) => Answer) => {
  return ({ step, results: fresh }) => {
    if (step > 0) results.push(...fresh);
    const line = LINES[step];
    return line === undefined ? say('Done.') : bash(line);
  };
};

async function outcomes(stage: Stage, scratch: Scratch): Promise<readonly (readonly boolean[])[]> {
  const [own, sub]: [ToolResult[], ToolResult[]] = [[], []];
  await stage.play(
    scratch,
    {
      main: ({ step }) => (step === 0 ? delegate('child') : step === 1 ? bash('ls') : say('Done.')),
      child: commands(sub),
    },
    { prompt: '[[main]] Have it done.', mode: 'default' },
  );
  await stage.play(scratch, { main: commands(own) }, { prompt: '[[main]] Do it.', mode: 'default' });
  return [own, sub].map((results) => results.map(({ is_error }) => is_error));
}

situationWith('subagent_start')(
  'rules for exact commands, prefixes and denials say with guard what they say without it',
  async ({ stage }) => {
    const files = { 'x.txt': 'one\n' };
    const with_guard = guarded(stage, files, { preset: 'auto', allow: ALLOW });
    const without = stage.scratch(files);
    userSettings(without, { permissions: { allow: ALLOW } });
    const plain = await outcomes(stage, without);
    expect(new Set(plain.flat())).toEqual(new Set([true, false]));
    expect(await outcomes(stage, with_guard)).toEqual(plain);
  },
);
