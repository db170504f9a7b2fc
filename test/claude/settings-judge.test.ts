/** An agent's write to a settings file: ordinary changes pass, and unreadable content is denied in bounded time. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/claude/input.ts';
import { whyNotLeft } from '../../src/claude/settings-judge.ts';
import { merged, ORDINARY } from '../settings/ordinary.ts';
import { oneAgent, wrongs } from './driver.ts';

const CLIENT = { AI_AGENT: 'claude-code_2-1-330_harness' };
const SETTINGS = '.claude/settings.json';
const LOCAL = '.claude/settings.local.json';

function guarded() {
  const { at, agent } = oneAgent();
  const write = (file: string, content: string) =>
    wrongs(agent.pre(agent.call('Write', { file_path: at.path(file), content })));
  return { at, agent, write };
}

const settingsOf = (at: { read(name: string): string }): object => JSON.parse(at.read(SETTINGS)) as object;

describe("an edit of the client's settings", () => {
  it('that adds what is ordinary passes, a key that guard does not know included', () => {
    const { at, agent } = guarded();
    for (const edit of [...ORDINARY, { newKey: 5 }]) {
      const call = agent.payload('PreToolUse', {
        tool_name: 'Write',
        tool_input: {
          file_path: at.path(SETTINGS),
          content: JSON.stringify(merged(settingsOf(at), edit)),
        },
        tool_use_id: 't',
      });
      const input = parseInput(JSON.stringify(call), at.root);
      if (input === null) throw new Error('no event');
      expect(whyNotLeft(input, at.path(SETTINGS), CLIENT), JSON.stringify(edit)).toBeNull();
    }
  });

  it.each(['a FIFO', 'an endless device'])('where the file is %s is denied in bounded time', (what) => {
    const { at, write } = guarded();
    fs.mkdirSync(at.path('sub/.claude'), { recursive: true });
    const file = at.path('sub/.claude/settings.json');
    if (what === 'a FIFO') execFileSync('mkfifo', [file]);
    else fs.symlinkSync('/dev/zero', file);
    const start = performance.now();
    expect(write('sub/.claude/settings.json', '{}')[0]).toMatch(/^(?:PROTECTED_PATH|GUARD_ERROR)$/);
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  it('that is larger than guard reads is denied', () => {
    expect(guarded().write(LOCAL, `{"x":"${'y'.repeat(1_100_000)}"}`)).toContain('PROTECTED_PATH');
  });
});
