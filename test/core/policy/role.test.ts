import { describe, expect, it } from 'vitest';
import { mayOnlyLook, notPermitted, roleRefusal } from '../../../src/core/policy/role.ts';

describe('a role', () => {
  it.each([
    ['an agent that nobody drafted', undefined, false],
    ['a drafted one with full access', { access: 'full' }, false],
    ['a drafted one that may only look', { access: 'readonly' }, true],
  ] as const)('%s may only look: %s', (_, drafted, only) => {
    expect(mayOnlyLook(drafted)).toBe(only);
  });

  it('refuses with the same next step everywhere', () => {
    const [, hint] = roleRefusal('await');
    expect(notPermitted('draft_agent', { role: 'reviewer', category: 'review' })).toMatchObject({
      error_type: 'NOT_PERMITTED',
      details: { tool: 'draft_agent', role: 'reviewer', category: 'review', next: [hint] },
    });
  });
});
