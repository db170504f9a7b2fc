/** What makes the real client run guard's hooks from a settings file. Only with `-p`: no dialog is shown. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { isKnown } from '../../src/settings/schema.ts';
import { merged, ORDINARY } from '../settings/ordinary.ts';
import { denialOf } from './client/denial.ts';
import { guarded } from './client/guarded.ts';
import { bash, both, read, say, use, write } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation, type Stage } from './client/stage.ts';

/** The client picks up a changed settings file after 1.0 to 1.9 s (measured). */
const TAKEN_UP_MS = 3_000;
const SETTINGS = '.claude/settings.json';

const settingsOf = (scratch: Scratch): object => JSON.parse(scratch.read(SETTINGS)) as object;

/** One of each class; each is a row of test/settings/judge.test.ts. */
const UNGUARDS: readonly (readonly [string, object])[] = [
  ['a hook entry', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true', if: 5 }] }] } }],
  ['permissions', { permissions: { allow: 5 } }],
  ['another setting', { env: 5 }],
  ['a prefix', { env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } }],
  ['code in Node', { env: { NODE_OPTIONS: '--require=/dev/null' } }],
];

situation(
  'settings that unguard: an agent cannot write them, and what the shell writes does not take effect',
  async ({ stage }) => {
    const scratch = guarded(stage, { 'a.txt': 'one\n' });
    const before = scratch.read(SETTINGS);
    const texts = UNGUARDS.map(([, change]) => JSON.stringify(merged(settingsOf(scratch), change)));
    texts.forEach((text, nth) => scratch.write(`next-${nth}.json`, text));
    scratch.write('before.json', before);
    const file = scratch.path(SETTINGS);
    const attack = write(scratch.path('a.txt'), 'lost\n');
    const later = async () => {
      await sleep(TAKEN_UP_MS);
      return attack;
    };

    const { api } = await stage.play(
      scratch,
      {
        main: [
          // Clients up to 2.1.200 themselves refuse to write an unread file.
          both(read(file), read(scratch.path('a.txt'))),
          ...texts.map((text) => write(file, text)),
          ...texts.flatMap((_, nth) => [bash(`cp next-${nth}.json ${SETTINGS}`), later]),
          bash(`cp before.json ${SETTINGS}`),
          say('Done.'),
        ],
      },
      { prompt: '[[main]] Tidy the settings.', mode: 'bypassPermissions' },
    );

    const results = api.results('main').slice(2);
    const written = results.slice(0, texts.length).map((result) => denialOf(result).error_type);
    expect(written).toEqual(texts.map(() => 'PROTECTED_PATH'));
    const attacked = UNGUARDS.map(([what], nth) => [what, results[texts.length + 2 * nth + 1]] as const);
    expect(attacked.map(([what, result]) => [what, denialOf(result).error_type])).toEqual(
      UNGUARDS.map(([what]) => [what, 'NOT_LOCKED']),
    );
    expect(scratch.read('a.txt')).toBe('one\n');
  },
);

/** Whether guard's hook denied a write in a session that started with these settings. */
async function denies(stage: Stage, change: object): Promise<boolean> {
  const scratch = guarded(stage, { 'a.txt': 'one\n' });
  scratch.write(SETTINGS, JSON.stringify(merged(settingsOf(scratch), change)));
  const { api } = await stage.play(
    scratch,
    { main: [read(scratch.path('a.txt')), write(scratch.path('a.txt'), 'lost\n'), say('Done.')] },
    { prompt: '[[main]] Write.' },
  );
  return /NOT_LOCKED/.test(api.results('main')[1]?.text ?? '');
}

situation('a hundred ordinary edits, in three sessions: guard denies in each', async ({ stage }) => {
  const batches = Array.from({ length: 3 }, (_, nth) => ORDINARY.filter((__, at) => at % 3 === nth));
  for (const batch of batches) {
    const all = batch.reduce<object>((so_far, edit) => merged(so_far, edit), {});
    expect(await denies(stage, all), JSON.stringify(all)).toBe(true);
  }
});

situation('values that drop the file, and values that do not, as on record', async ({ stage, skip }) => {
  const record = JSON.parse(
    readFileSync(join(import.meta.dirname, '../fixtures/client/settings-values.json'), 'utf8'),
  ) as Record<string, readonly object[]>;
  if (process.env['GUARD_E2E_CLIENT_VERSION'] !== undefined) skip('the record is of 2.1.330');
  const some = (which: string) => (record[which] ?? []).filter((_, at) => at % 200 === 7);
  for (const value of some('2.1.330 drops the file')) {
    expect(await denies(stage, value), JSON.stringify(value)).toBe(false);
  }
  for (const value of some('2.1.330 keeps the file')) {
    expect(await denies(stage, value), JSON.stringify(value)).toBe(true);
  }
});

situation('guard knows every setting that the client states', async ({ stage }) => {
  const scratch = stage.scratch();
  const { api } = await stage.play(
    scratch,
    { main: [use('Skill', { skill: 'update-config' }), say('Done.')] },
    { prompt: '[[main]] Configure.', mode: 'bypassPermissions' },
  );
  const blocks = api.seen.flatMap(({ texts }) => texts).flatMap((text) => text.split(/^```(?:json)?$/m));
  const schemas = blocks.flatMap(propertiesIn).sort((a, b) => b.length - a.length);
  expect(schemas[0]?.length).toBeGreaterThan(100);
  expect(schemas[0]?.filter((name) => !isKnown(name))).toEqual([]);
});

function propertiesIn(text: string): readonly (readonly string[])[] {
  try {
    const schema = JSON.parse(text) as { readonly properties?: object } | null;
    return schema?.properties === undefined ? [] : [Object.keys(schema.properties)];
  } catch {
    return [];
  }
}
