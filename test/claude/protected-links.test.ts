/** A protected file is protected under each of its names. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, wrongs } from './driver.ts';

describe('where .claude is a link', () => {
  it('what is in it is protected by both names, and nothing else is', () => {
    const { at, agent } = oneAgent();
    const write = (file: string, content = 'x') =>
      wrongs(agent.pre(agent.call('Write', { file_path: at.path(file), content })));
    fs.renameSync(at.path('.claude'), at.path('shared'));
    fs.symlinkSync('shared', at.path('.claude'));
    for (const dir of ['.claude', 'shared']) {
      expect(write(`${dir}/guard-hook.cjs`), dir).toContain('PROTECTED_PATH');
      expect(write(`${dir}/settings.json`, '{}'), dir).toContain('PROTECTED_PATH');
      expect(write(`${dir}/settings.local.json`, '{"env":5}'), dir).toContain('PROTECTED_PATH');
      expect(write(`${dir}/settings.md`), dir).not.toContain('PROTECTED_PATH');
    }
    expect(write('src/guard-hook.cjs')).not.toContain('PROTECTED_PATH');
    expect(write('src/settings.json')).not.toContain('PROTECTED_PATH');
  });
});
