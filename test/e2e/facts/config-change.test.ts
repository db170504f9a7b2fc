import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { userSettings } from '../client/guarded.ts';
import { recorded, recordHooks } from '../client/record.ts';
import { bash, say, write } from '../client/scenario.ts';
import type { Scratch } from '../client/scratch.ts';
import { situation } from '../client/stage.ts';

const TAKEN_UP_MS = 3_000;

/** The commands whose PreToolUse hook ran. */
function hooked(scratch: Scratch): readonly unknown[] {
  const pre = recorded(scratch).filter(
    ({ event }) => event.hook_event_name === 'PreToolUse' && event.tool_name === 'Bash',
  );
  return pre.map(({ event }) => event.tool_input?.['command']);
}

situation(
  'a vetoed settings change waits on disk, and takes effect with the next change of any file that is let through',
  async ({ stage }) => {
    const scratch = stage.scratch({ 'a.txt': 'a\n' });
    recordHooks(scratch, [{ event: 'ConfigChange', says: 'settings.local.json', exit: 2, stderr: 'no' }]);
    const later =
      (command: string, change: () => void = () => undefined) =>
      async () => {
        change();
        await sleep(TAKEN_UP_MS);
        return bash(command);
      };

    await stage.play(
      scratch,
      {
        main: [
          write(scratch.path('.claude/settings.local.json'), '{"disableAllHooks": true}'),
          later('echo vetoed'),
          later('echo let through', () => userSettings(scratch, { env: { HARMLESS: '1' } })),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Go.', mode: 'bypassPermissions' },
    );

    expect(hooked(scratch)).toEqual(['echo vetoed']);
    const changes = recorded(scratch).filter(({ event }) => event.hook_event_name === 'ConfigChange');
    expect(changes.map(({ event }) => event['source'])).toEqual(['local_settings', 'user_settings']);
  },
);
