import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isGuardError } from '../../../src/core/error.ts';
import { readNow } from '../../../src/repo/clock.ts';
import { openEmbedded } from '../plain.ts';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'guard-page-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const store = () => openEmbedded(dir, { now: readNow });
const write = (key: string, state: number) =>
  store().transactSync([key], () => ({
    records: [{ type: 'test', agent: 'a', ts_ms: 0, s: { [key]: state } }],
    result: null,
  }));

function flip(file: string, at: number): void {
  const bytes = readFileSync(join(dir, file));
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(join(dir, file), bytes);
}

it('a damaged page of the index heals by itself: the ledger is the truth', () => {
  for (let n = 0; n < 5; n++) write(`path:${n}`, n);
  const pages = readFileSync(join(dir, 'index')).length / 512;
  for (let page = 1; page < pages; page++) flip('index', page * 512 + 40);
  expect(store().readSync(['path:3']).get('path:3')).toBe(3);
  write('path:3', 30);
  expect(store().readSync(['path:3', 'path:4']).get('path:3')).toBe(30);
});

it('a damaged record that the index leads to is corruption, named, and nothing is written', () => {
  for (let n = 0; n < 5; n++) write(`path:${n}`, n);
  const file = 'ledger-000000000001.jsonl';
  const text = readFileSync(join(dir, file), 'utf8');
  flip(file, text.indexOf('"path:2"') + 3);
  const attempt = () =>
    store().transactSync(['path:2'], (view) => ({
      records: [{ type: 'test', agent: 'a', ts_ms: 0, s: { 'path:2': Number(view.get('path:2')) + 1 } }],
      result: null,
    }));
  expect(attempt).toThrow(expect.objectContaining({ code: 'GUARD_ERR_CORRUPT' }));
  try {
    attempt();
  } catch (error) {
    expect(isGuardError(error) && error.facts).toMatchObject({ segment: file });
  }
  expect(readFileSync(join(dir, file)).length).toBe(Buffer.byteLength(text));
});
