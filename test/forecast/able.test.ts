import { describe, expect, test } from 'vitest';
import { isGuardError } from '../../src/core/error.ts';
import { requireVersion } from '../../src/forecast/able.ts';

const refused = (said: string): unknown => {
  try {
    return requireVersion(said);
  } catch (error) {
    return isGuardError(error) ? [error.code, error.facts, error.hint] : error;
  }
};

describe('the version of git', () => {
  test.each([
    ['git version 2.39.0', '2.39.0'],
    ['git version 2.39.5 (Apple Git-154)', '2.39.5'],
    ['git version 2.50.1.windows.1', '2.50.1.windows.1'],
    ['git version 3.0.0', '3.0.0'],
  ])('%s will do', (said, version) => {
    expect(requireVersion(said)).toBe(version);
  });

  test.each(['git version 2.38.1', 'git version 2.9.5', 'git version 1.99.0'])('%s is refused', (said) => {
    const [, version = ''] = / (\S+)$/.exec(said) ?? [];
    expect(refused(said)).toEqual(['GUARD_ERR_GIT', { version, needed: '2.39' }, 'Update git.']);
  });
});
