/** Permission rules match the same with and without guard, in every permission mode, even on marked command lines. */
import { describe, expect } from 'vitest';

import { guarded, userSettings } from './client/guarded.ts';
import { type Mode, MODES } from './client/modes.ts';
import { bash, delegate, say } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { clientHas, situation, type Stage } from './client/stage.ts';

const ALLOW = ['Read', 'Edit', 'Bash(touch one.txt)', 'Bash(mkdir:*)', 'Bash(sort:* )'];
const DENY = ['Bash(touch no.txt)', 'Bash(rmdir:*)'];
const LINES = [
  'touch one.txt',
  'touch two.txt',
  'mkdir -p d/e',
  'mkdir f && touch two.txt',
  'rm x.txt',
  'ls && cat x.txt',
  'echo hi > own.txt',
  'touch no.txt',
  'rmdir d/e',
];

/** First the main agent's, then its subagent's: command lines are marked once there is a subagent. */
async function outcomes(
  stage: Stage,
  scratch: Scratch,
  mode: Mode,
): Promise<readonly (readonly boolean[])[]> {
  const { api } = await stage.play(
    scratch,
    {
      main: ({ step }) => [...LINES.map(bash), delegate('child')][step] ?? say('Done.'),
      child: ({ step }) => LINES.map(bash)[step] ?? say('Done.'),
    },
    { prompt: '[[main]] Do it.', mode },
  );
  return ['main', 'child'].map((who) => api.results(who).map(({ is_error }) => is_error));
}

// Auto mode asks a judge, which is not available offline: without guard only the narrowest rules would show.
describe.each(MODES.filter((mode) => mode !== 'auto' || clientHas('auto_mode')))('in mode %s', (mode) => {
  situation('allowed, asked for and denied is with guard what it is without it', async ({ stage }) => {
    const files = { 'x.txt': 'one\n' };
    const with_guard = guarded(stage, files, { preset: 'auto', allow: ALLOW, deny: DENY });
    const without = stage.scratch(files);
    userSettings(without, { permissions: { allow: ALLOW, deny: DENY } });
    const [under_guard, plain] = await Promise.all(
      [with_guard, without].map((scratch) => outcomes(stage, scratch, mode)),
    );
    expect(new Set(plain?.flat())).toEqual(new Set([true, false]));
    expect(under_guard).toEqual(plain);
  });
});
