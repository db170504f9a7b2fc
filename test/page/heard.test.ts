import { expect, it } from 'vitest';
import { heardNext, NOTHING_HEARD } from '../../src/page/heard.ts';

const now = (...ids: string[]) => new Map(ids.map((id) => [id, `${id}!`]));

it('what begins to need attention is announced once, and again only after it has gone', () => {
  const first = heardNext(NOTHING_HEARD, now('a'));
  expect(first.words).toBe('a!');
  expect(heardNext(first, now('a'))).toBe(first);
  const second = heardNext(first, now('b', 'a'));
  expect(second.words).toBe('b!');
  const third = heardNext(second, now('b'));
  expect(third.words).toBe('');
  expect(heardNext(third, now('b', 'a')).words).toBe('a!');
});

it('of very much that begins at the same time, the most urgent is announced', () => {
  expect(heardNext(NOTHING_HEARD, now('a', 'b', 'c', 'd', 'e')).words).toBe('a!. b!. c!. And 2 more.');
});
