import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, inject } from 'vitest';

import { denialOf } from './client/denial.ts';
import { guarded } from './client/guarded.ts';
import { bash, read, say, write } from './client/scenario.ts';
import type { Scratch } from './client/scratch.ts';
import { situation } from './client/stage.ts';

/** Changes one byte in every record but the last: bad records followed by a good one, so not a torn tail. */
function damageLedger(scratch: Scratch): void {
  const state = scratch.path('.git/guard');
  const name = readdirSync(state).find((file) => /^ledger-.*\.jsonl$/.test(file));
  if (name === undefined) throw new Error(`no ledger in ${state}`);
  const bytes = readFileSync(join(state, name));
  const lines = bytes.toString('latin1').trimEnd().split('\n');
  let start = 0;
  for (const line of lines.slice(0, -1)) {
    const middle = start + Math.floor(line.length / 2);
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 0x01, middle);
    start += line.length + 1;
  }
  writeFileSync(join(state, name), bytes);
}

situation('a damaged ledger denies writes and says why; reading and the shell go on', async ({ stage }) => {
  const scratch = guarded(stage, { 'a.txt': 'one\n' });
  for (let round = 0; round < 4; round += 1) {
    expect(scratch.guard('lock', 'try', 'a.txt', 'b.txt').code).toBe(0);
    expect(scratch.guard('lock', 'release', '--all-held').code).toBe(0);
  }
  damageLedger(scratch);
  const file = scratch.path('a.txt');

  const { run, api } = await stage.play(
    scratch,
    { main: [read(file), write(file, 'lost\n'), bash('echo still here'), say('Done.')] },
    { prompt: '[[main]] Write it.', args: ['--allowed-tools', 'Bash(echo:*)'] },
  );

  const denial = denialOf(api.at('main', 2).results[0]);
  expect(denial).toMatchObject({ error_type: 'GUARD_ERROR', details: { code: 'GUARD_ERR_CORRUPT' } });
  expect(JSON.stringify(denial)).toContain('doctor');
  expect(scratch.read('a.txt')).toBe('one\n');
  expect(api.results('main').map(({ is_error }) => is_error)).toEqual([false, true, false]);
  expect(run.result).toBe('Done.');
});

const GONE: readonly (readonly [string, (guard: string) => void])[] = [
  ['whose built files are gone', (guard) => rmSync(join(guard, 'dist'), { recursive: true })],
  ['that was removed', (guard) => rmSync(guard, { recursive: true })],
];

for (const [how, remove] of GONE) {
  situation(`a guard ${how} lets no write through; reading goes on`, async ({ stage }) => {
    const guard = stage.dir();
    cpSync(inject('guard'), guard, { recursive: true, verbatimSymlinks: true });
    const scratch = guarded(stage, { 'a.txt': 'one\n' }, { guard, scope: 'local' });
    remove(guard);
    const file = scratch.path('a.txt');

    const { run, api } = await stage.play(
      scratch,
      { main: [read(file), write(file, 'lost\n'), say('Done.')] },
      { prompt: '[[main]] Write it.' },
    );

    expect(api.results('main').map(({ is_error }) => is_error)).toEqual([false, true]);
    expect(api.at('main', 2).results[0]?.text).toMatch(/guard/);
    expect(scratch.read('a.txt')).toBe('one\n');
    expect(run.result).toBe('Done.');
  });
}

/** As installed by default, with the strictest preset. */
const BROKEN: readonly (readonly [string, (scratch: Scratch, guard: string) => void, string])[] = [
  [
    'the state directory is group-writable',
    (scratch) => chmodSync(scratch.path('.git/guard'), 0o770),
    'GUARD_ERR_STATE_DIR',
  ],
  [
    'the state directory is of another user',
    (scratch) => chownSync(scratch.path('.git/guard'), 12_345, 12_345),
    'GUARD_ERR_STATE_DIR',
  ],
  [
    'install.json is gone',
    (scratch) => rmSync(scratch.path('.git/guard/install.json')),
    'GUARD_ERR_STATE_DIR',
  ],
  [
    'the state directory is gone',
    (scratch) => rmSync(scratch.path('.git/guard'), { recursive: true }),
    'GUARD_ERR_NOT_INITIALISED',
  ],
  ['the program is gone', (_, guard) => rmSync(guard, { recursive: true }), 'GUARD_ERR_NOT_INITIALISED'],
];

for (const [what, harm, code] of BROKEN) {
  if (what.includes('another user') && process.getuid?.() !== 0) continue;
  situation(`in scope project, ${what}: the file stays, and the agent is told why`, async ({ stage }) => {
    const guard = stage.dir();
    cpSync(inject('guard'), guard, { recursive: true, verbatimSymlinks: true });
    const scratch = guarded(stage, { 'a.txt': 'one\n' }, { guard, scope: 'project', preset: 'strict' });
    harm(scratch, guard);
    const file = scratch.path('a.txt');

    const { api } = await stage.play(
      scratch,
      // Clients up to 2.1.200 refuse a write of an unread file themselves, before any hook.
      { main: [read(file), write(file, 'lost\n'), say('Done.')] },
      { prompt: '[[main]] Write it.' },
    );

    expect(scratch.read('a.txt')).toBe('one\n');
    expect(api.results('main').map(({ is_error }) => is_error)).toEqual([false, true]);
    expect(JSON.stringify(api.at('main', 2).results[0])).toContain(code);
  });
}
