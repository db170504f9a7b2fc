/** Which files the page of a simulation may replace. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writePage } from '../../../src/cli/simulate/write-page.ts';

const PAGE = '<title>guard simulate</title>';

function scratchDir(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'guard-page-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true }));
  return dir;
}

test('a page replaces an earlier page', () => {
  const file = join(scratchDir(), 'report.html');
  writePage(file, PAGE);
  writePage(file, `${PAGE}2`);
  expect(fs.readFileSync(file, 'utf8')).toBe(`${PAGE}2`);
});

test('a page replaces no other file, nor through a link', () => {
  const dir = scratchDir();
  fs.writeFileSync(join(dir, 'a.ts'), 'work');
  fs.symlinkSync('a.ts', join(dir, 'link'));
  for (const name of ['a.ts', 'link'])
    expect(() => writePage(join(dir, name), PAGE)).toThrow(
      expect.objectContaining({ code: 'GUARD_ERR_USAGE' }),
    );
  expect(fs.readFileSync(join(dir, 'a.ts'), 'utf8')).toBe('work');
});

test('a page that cannot be written is an error with a code', () => {
  expect(() => writePage(join(scratchDir(), 'none/page.html'), PAGE)).toThrow(
    expect.objectContaining({ code: 'GUARD_ERR_IO' }),
  );
});
