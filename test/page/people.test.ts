import { expect, it } from 'vitest';
import { peopleOf } from '../../src/page/people.ts';

it('an agent that has left keeps its name and color, and one that is here has the name that it has now', () => {
  const people = peopleOf({
    everybody: ['claude-1', 'claude-2', 'claude-3'],
    chosen: { 'claude-1': 'ann', 'claude-2': 'before' },
    now: [{ agent: 'claude-2', name: 'bob' }],
  });
  expect(['claude-1', 'claude-2'].map((id) => people.nameOf(id))).toEqual(['ann', 'bob']);
  expect(people.nameOf('claude-3')).toMatch(/^[a-z]+-[a-z]+$/);
  expect(people.fullNameOf('claude-1')).toBe('ann (claude-1)');
  expect(people.inOrder(['claude-3', 'claude-1', 'claude-3'])).toEqual(['claude-1', 'claude-3']);
  expect(people.colorOf('claude-1')).not.toBe(people.colorOf('claude-2'));
  expect(people.nameOf('claude-aaaaaaaa-0000-4000-8000-000000000000')).toBe('claude-aaaaaaaa');
});
