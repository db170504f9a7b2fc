import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import type { KeySpec } from '../../src/config/key-kinds.ts';
import { KEYS, SETTING_NAMES, variableOf } from '../../src/config/schema.ts';
import { POLICY_VALUES } from '../../src/core/policy/values.ts';
import { filesIn, ROOT, textOf } from './sources.ts';

const FILES_MAX = 3;

/** The rows of "Where to add what": the change, and every path named in its row. */
const ROWS = [
  ...(textOf('CONTRIBUTING.md').split('## Where to add what')[1] ?? '').matchAll(
    /^\| (an? .+?) \| (.+) \|$/gm,
  ),
].map(([, change = '', touch = '']) => ({
  change,
  paths: [...(touch.split('. Then ')[0] ?? '').matchAll(/`((?:src|hooks)\/[^`]+)`/g)].map(
    ([, path = '']) => path,
  ),
}));

describe('where to add what', () => {
  test.each(ROWS)('$change: at most three files, which exist', ({ paths }) => {
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.length).toBeLessThanOrEqual(FILES_MAX);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('is said of a writing tool, a denial, a lease policy, a field of status and an engine', () => {
    const changes = ROWS.map(({ change }) => change).join('; ');
    for (const word of ['writes', 'denial', 'lease policy', 'guard status', 'engine'])
      expect(changes).toContain(word);
  });

  test('the values of a policy stand in one file: no other spells a list of them', () => {
    // The other policies share words with other things, such as the fence and the hooks' answers.
    const { unread, release_on, victim, resolve, escalate } = POLICY_VALUES;
    const lists = [unread, release_on, victim, resolve, escalate].map((values) =>
      values.map((value) => `'${value}'`),
    );
    const repeats = filesIn('src', /\.ts$/)
      .filter((path) => path !== 'src/core/policy/values.ts')
      .filter((path) => {
        const text = textOf(path).replace(/\s+/g, ' ');
        return lists.some((values) =>
          [values, values.toReversed()].some(
            (order) => text.includes(order.join(', ')) || text.includes(order.join(' | ')),
          ),
        );
      });
    expect(repeats).toEqual([]);
  });

  test('every key with one value has its line in the documentation: name, variable, default', () => {
    const page = textOf('docs/configuration.md');
    const missing = SETTING_NAMES.filter((name) => {
      const key = name.replace('deadlock_', 'deadlock.');
      const spec = KEYS[name] as KeySpec<never>;
      const line = page.split('\n').find((one) => one.startsWith(`| \`${key}\` | \`${variableOf(name)}\` |`));
      return line?.endsWith(`| \`${spec.show(spec.default)}\` |`) !== true;
    });
    expect(missing).toEqual([]);
  });
});
