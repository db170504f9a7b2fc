/** guard as a plugin: its MCP server is included, and its hooks sign the calls. */
import { expect, inject } from 'vitest';

import { failedHooks, guarded, userSettings } from './client/guarded.ts';
import { say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';

situation(
  'the plugin registers the lock tools, and the session that calls them is the holder',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' });
    const name = 'mcp__plugin_guard_guard__lock_try';
    userSettings(scratch, { permissions: { allow: ['Read', 'Edit', 'Write', name] } });
    const { run, api } = await stage.play(
      scratch,
      { main: [use(name, { filepaths: ['a.txt'] }), use(name, { filepaths: ['a.txt'] }), say('Done.')] },
      { prompt: '[[main]] Lock it.', args: ['--plugin-dir', inject('guard')] },
    );
    const told = JSON.parse(api.at('main', 1).results[0]?.text ?? 'null') as object;
    expect(told).toMatchObject({ results: [{ filepath: 'a.txt', acquired: true }], all_acquired: true });
    expect(told).not.toHaveProperty('agent');
    const held = scratch.guard('log', '--type', 'hold', '--json').stdout;
    expect(held).toContain(`"agent":"claude-${run.session}"`);
    expect(failedHooks(run)).toEqual([]);
  },
);
