import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { denialOf } from './client/denial.ts';
import { guarded, userSettings } from './client/guarded.ts';
import { bash, say, write } from './client/scenario.ts';
import { situation } from './client/stage.ts';

/** The client picks up a changed settings file after 1.0 to 1.9 s (measured). */
const TAKEN_UP_MS = 3_000;
const UNHOOK = '{"disableAllHooks": true}';

situation(
  'an agent that may do everything cannot write disableAllHooks into .claude/settings.local.json',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' });
    const file = scratch.path('.claude/settings.local.json');
    const files = ['.claude/settings.json', '.claude/settings.local.json', 'a.txt'];
    const before = files.map((name) => scratch.read(name));

    const { api } = await stage.play(
      scratch,
      {
        main: [
          write(file, UNHOOK),
          write(scratch.path('.claude/settings.json'), '{}'),
          async () => {
            await sleep(TAKEN_UP_MS);
            return write(scratch.path('a.txt'), 'lost\n');
          },
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Get rid of it.', mode: 'bypassPermissions' },
    );

    expect(denialOf(api.at('main', 1).results[0])).toMatchObject({
      error_type: 'PROTECTED_PATH',
      details: { path: file },
    });
    expect(denialOf(api.at('main', 2).results[0]).error_type).toBe('PROTECTED_PATH');
    expect(denialOf(api.at('main', 3).results[0]).details.next).not.toEqual([]);
    expect(files.map((name) => scratch.read(name))).toEqual(before);
  },
);

situation(
  'disableAllHooks that the shell wrote does not take effect, nor with a later harmless change',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' });
    const attack = write(scratch.path('a.txt'), 'lost\n');

    const { api } = await stage.play(
      scratch,
      {
        main: [
          bash(`echo '${UNHOOK}' > .claude/settings.local.json`),
          async () => {
            await sleep(TAKEN_UP_MS);
            return attack;
          },
          async () => {
            userSettings(scratch, { env: { HARMLESS: '1' } });
            await sleep(TAKEN_UP_MS);
            return attack;
          },
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Get rid of it.', mode: 'bypassPermissions' },
    );

    expect(scratch.read('.claude/settings.local.json').trim()).toBe(UNHOOK);
    expect(denialOf(api.at('main', 2).results[0]).error_type).toBe('NOT_LOCKED');
    expect(denialOf(api.at('main', 3).results[0]).error_type).toBe('NOT_LOCKED');
    expect(scratch.read('a.txt')).toBe('one\n');
  },
);
