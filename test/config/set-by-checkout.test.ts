import { expect, test } from 'vitest';
import { isSet } from '../../src/config/set-by-checkout.ts';

test('a variable is found in any spelling where the system ignores the case of its name, and only there', () => {
  expect(isSet('GUARD_ENGINE', ['Guard_Engine'], 'win32')).toBe(true);
  expect(isSet('GUARD_ENGINE', ['Guard_Engine'], 'linux')).toBe(false);
  expect(isSet('GUARD_ENGINE', ['GUARD_ENGINE'], 'linux')).toBe(true);
  expect(isSet('GUARD_ENGINE', ['GUARD_ENGINE_2'], 'win32')).toBe(false);
});
