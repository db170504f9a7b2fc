/** The plugin installed the documented way: the checkout added as a marketplace, then installed. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject } from 'vitest';

import { denialOf } from './client/denial.ts';
import { failedHooks, guarded, userSettings } from './client/guarded.ts';
import { say, use } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation } from './client/stage.ts';

const CHECKOUT = join(import.meta.dirname, '../..');

/** The client as a person runs it in a terminal, without a network. */
function claude({ env, repo }: Scratch, ...args: readonly string[]): string {
  const [command = '', ...rest] = [...inject('isolation').prefix, inject('client').binary ?? '', ...args];
  // Nothing listens there, so a request is refused immediately instead of being retried.
  const offline = { ...env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  return execFileSync(command, rest, { env: offline, cwd: repo, encoding: 'utf8', timeout: 60_000 });
}

situation(
  'the plugin is installed from a marketplace in a directory, and denies an unlocked write by itself',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' }, { scope: 'local' });
    rmSync(scratch.path('.claude/settings.local.json'));
    userSettings(scratch, { permissions: { allow: ['Read', 'Edit', 'Write'] } });
    claude(scratch, 'plugin', 'marketplace', 'add', CHECKOUT);
    claude(scratch, 'plugin', 'install', 'guard@guard');
    expect(claude(scratch, 'plugin', 'list')).toContain('guard@guard');
    const { run, api } = await stage.play(
      scratch,
      {
        main: [
          use('Read', { file_path: scratch.path('a.txt') }),
          use('Write', { file_path: scratch.path('a.txt'), content: 'two\n' }),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Write it.' },
    );
    expect(denialOf(api.results('main').at(-1))).toMatchObject({ error_type: 'NOT_LOCKED' });
    expect(scratch.read('a.txt')).toBe('one\n');
    expect(failedHooks(run)).toEqual([]);
    // From both hook files: the events that every client knows, and the newer ones.
    const events = new Set(run.hooks.map(({ hook_event }) => hook_event));
    expect([...events]).toEqual(
      expect.arrayContaining(['SessionStart', 'PreToolUse', 'PostToolBatch', 'Stop']),
    );
  },
);

situation('the client finds nothing wrong with the built tree', ({ stage }) => {
  expect(claude(stage.scratch(), 'plugin', 'validate', join(CHECKOUT, 'plugin'))).toContain(
    'Validation passed',
  );
});
