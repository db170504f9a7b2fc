import { chmodSync, existsSync, linkSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isGuardError } from '../../src/core/error.ts';
import { makeScratch } from '../../src/replay/scratch.ts';

/** Outside every scratch directory, and unique to this process. */
const ESCAPED = `/tmp/guard-replay-escaped-${process.pid}`;

const open: { remove(): void }[] = [];
const scratch = () => {
  const made = makeScratch();
  open.push(made);
  return made;
};
afterEach(() => open.splice(0).forEach((one) => one.remove()));

const refused = (act: () => void): string | undefined => {
  try {
    act();
    return undefined;
  } catch (error) {
    return isGuardError(error) ? error.code : String(error);
  }
};

test('a file is written with its directories, deleted, and linked', () => {
  const { places, change } = scratch();
  const file = join(places.repo, 'x/y/a.txt');
  change(file, { content: 'a' });
  expect(readFileSync(file, 'utf8')).toBe('a');
  change(file, { base64: 'AAE=' });
  expect([...readFileSync(file)]).toEqual([0, 1]);
  change(join(places.repo, 'link'), { symlink: 'x/y/a.txt' });
  expect(readlinkSync(join(places.repo, 'link'))).toBe('x/y/a.txt');
  change(file, { delete: true });
  expect(existsSync(file)).toBe(false);
  change(file, { delete: true });
});

test('a change can keep the time of the file', () => {
  const { places, change } = scratch();
  const file = join(places.repo, 'a.txt');
  change(file, { content: 'a' });
  const { mtimeMs } = statSync(file);
  change(file, { content: 'b', keep_mtime: true });
  expect(Math.abs(statSync(file).mtimeMs - mtimeMs)).toBeLessThan(0.01);
  expect(readFileSync(file, 'utf8')).toBe('b');
});

test('text is written as the client writes it: in the form of the file, by a new file renamed over it', () => {
  const { places, change } = scratch();
  const file = join(places.repo, 'a.txt');
  const before = Buffer.from('\uFEFFone\r\ntwo\r\n', 'utf16le');
  change(file, { base64: before.toString('base64') });
  chmodSync(file, 0o750);
  linkSync(file, join(places.repo, 'other-name'));
  change(file, { text: 'ONE\ntwo\n' });
  expect(readFileSync(file)).toEqual(Buffer.from('\uFEFFONE\r\ntwo\r\n', 'utf16le'));
  expect(statSync(file).mode & 0o777).toBe(0o750);
  expect(readFileSync(join(places.repo, 'other-name'))).toEqual(before);
});

test('a new text is UTF-8 with LF', () => {
  const { places, change } = scratch();
  change(join(places.repo, 'a.txt'), { text: 'é\n' });
  expect(readFileSync(join(places.repo, 'a.txt'))).toEqual(Buffer.from('é\n'));
});

test('nothing is written outside, by whatever way a recording points there', () => {
  const { places, change } = scratch();
  const outside = join(places.repo, '../../guard-replay-escaped');
  expect(refused(() => change(outside, { content: 'x' }))).toBe('GUARD_ERR_PATH');
  expect(refused(() => change(ESCAPED, { content: 'x' }))).toBe('GUARD_ERR_PATH');
  expect(refused(() => change(join(places.repo, '..'), { delete: true }))).toBe('GUARD_ERR_PATH');
  expect(refused(() => change(join(places.repo, 'out'), { symlink: '../../..' }))).toBe('GUARD_ERR_PATH');
  expect(refused(() => change(join(places.repo, 'out'), { symlink: '/tmp' }))).toBe('GUARD_ERR_PATH');
  symlinkSync('/tmp', join(places.repo, 'planted'));
  expect(refused(() => change(join(places.repo, `planted/${basename(ESCAPED)}`), { content: 'x' }))).toBe(
    'GUARD_ERR_PATH',
  );
  expect(refused(() => change(join(places.repo, 'planted/deep/er'), { text: 'x' }))).toBe('GUARD_ERR_PATH');
  expect(existsSync(ESCAPED)).toBe(false);
});

test('a link that is already there is not written through to the outside', () => {
  const { places, change } = scratch();
  symlinkSync(ESCAPED, join(places.repo, 'planted'));
  expect(refused(() => change(join(places.repo, 'planted'), { content: 'x' }))).toBe('GUARD_ERR_PATH');
  expect(existsSync(ESCAPED)).toBe(false);
});

test('a link to a file of the repository is written through, a circle of links is not', () => {
  const { places, change } = scratch();
  change(join(places.repo, 'a.txt'), { content: 'a' });
  change(join(places.repo, 'link'), { symlink: 'a.txt' });
  change(join(places.repo, 'link'), { content: 'b' });
  expect(readFileSync(join(places.repo, 'a.txt'), 'utf8')).toBe('b');
  symlinkSync('y', join(places.repo, 'x'));
  symlinkSync('x', join(places.repo, 'y'));
  expect(refused(() => change(join(places.repo, 'x'), { content: 'c' }))).toBe('GUARD_ERR_PATH');
});

test('nothing is left behind', () => {
  const made = makeScratch();
  made.change(join(made.places.repo, 'a/b'), { content: 'x' });
  made.remove();
  expect(existsSync(join(made.places.repo, '..'))).toBe(false);
});
