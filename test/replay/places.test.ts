import { expect, test } from 'vitest';
import { deepToScratch, toRecorded, toScratch } from '../../src/replay/places.ts';

const places = { repo: '/tmp/s/repo', home: '/tmp/s/home' };

test.each([
  ['/repo', '/tmp/s/repo'],
  ['/repo/a.txt', '/tmp/s/repo/a.txt'],
  ['/home/user/.claude', '/tmp/s/home/.claude'],
  ['/home/u/h.txt', '/tmp/s/home/h.txt'],
  ["printf x > /repo/a.txt; cat '/repo/b'", "printf x > /tmp/s/repo/a.txt; cat '/tmp/s/repo/b'"],
  ['See /repo.', 'See /tmp/s/repo.'],
  ['{"cwd":"/repo"}', '{"cwd":"/tmp/s/repo"}'],
])('%s becomes a path of the scratch directory', (text, scratch) => {
  expect(toScratch(text, places)).toBe(scratch);
});

test.each([
  '/home/user/.claude/projects/-repo/x',
  '/repository/a',
  '/srv/repo/a',
  '/repo-old/a',
  '/repo.git/a',
  './repo/a',
  '~/repo/a',
  '/home/users/a',
])('%s is somewhere else', (text) => {
  expect(toScratch(text, places).replace('/tmp/s/home', '/home/user')).toBe(text);
});

test('what came out names the recorded places', () => {
  expect(toRecorded('/tmp/s/repo/a and /tmp/s/home/b', places)).toBe('/repo/a and /home/user/b');
});

test('every text in a value is changed, its names are not', () => {
  const value = { '/repo': ['/repo', 1, null, { a: '/repo/x', b: true }] };
  expect(deepToScratch(value, places)).toEqual({
    '/repo': ['/tmp/s/repo', 1, null, { a: '/tmp/s/repo/x', b: true }],
  });
});
