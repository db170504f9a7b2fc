/** A seal is valid once; the number remembered is bounded, and forgotten ones are too old to be used. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { signed } from '../../src/claude/events/sign-call.ts';
import { forgetOldest, signerOf } from '../../src/cli/signed-call.ts';

const HOME = mkdtempSync(join(tmpdir(), 'guard-calls-'));
const ENV = { HOME };
const DIR = join(HOME, '.local/state/guard/calls');
const NOW_MS = 1_700_000_000_000;
const said = (id: string, wall_ms: number): string =>
  signed({ agent: 'claude-a', tool: 'lock_try', id }, { wall_ms }, ENV) ?? '';
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

it('is taken once, and not again after it is forgotten', () => {
  const old = Array.from({ length: 6 }, (_, at) => said(`t${at}`, NOW_MS + at));
  for (const one of old) expect(signerOf(one, 'lock_try', ENV)).toBe('claude-a');
  for (const name of readdirSync(DIR)) utimesSync(join(DIR, name), NOW_MS / 1000, NOW_MS / 1000 + 1);
  forgetOldest(DIR, 4);
  expect(readdirSync(DIR).filter((name) => name !== 'horizon')).toHaveLength(2);
  for (const one of old) expect(signerOf(one, 'lock_try', ENV)).toBeNull();
  expect(signerOf(said('late', NOW_MS + 5_000), 'lock_try', ENV)).toBe('claude-a');
});

it.each([
  ['', 'lock_try'],
  ['claude-a', 'lock_try'],
  ['claude-a t 1 00', 'lock_try'],
  [`claude-a t 1700000000000 ${'0'.repeat(64)}`, 'lock_try'],
])('%j is no seal', (text, tool) => {
  expect(signerOf(text, tool, ENV)).toBeNull();
});

it('holds for the tool it was given for', () => {
  expect(signerOf(said('x', NOW_MS + 9_000), 'lock_release', ENV)).toBeNull();
  expect(signerOf(said('y', NOW_MS + 9_000), 'lock_try', ENV)).toBe('claude-a');
});

it('is refused with the reason if its use cannot be recorded', () => {
  const home = mkdtempSync(join(HOME, 'full-'));
  const env = { HOME: home };
  const text = signed({ agent: 'claude-a', tool: 'lock_try', id: 'z' }, { wall_ms: NOW_MS }, env) ?? '';
  writeFileSync(join(home, '.local/state/guard/calls'), '');
  expect(() => signerOf(text, 'lock_try', env)).toThrow(expect.objectContaining({ code: 'GUARD_ERR_IO' }));
});
