/** How the client that reads a settings file understands it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsElsewhere, isKept, newKeys, readModel } from '../../src/settings/model.ts';

type Values = Readonly<Record<string, readonly object[]>>;

/** Every way in which one value can be wrong, and whether the real client still ran the hooks of the same file. */
const MEASURED = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/client/settings-values.json'), 'utf8'),
) as Values;

const model = (value: unknown, version: string | null = '2.1.330') =>
  readModel(JSON.stringify(value), version);

const wrongly = (which: string, version: string, kept: boolean): readonly string[] =>
  (MEASURED[which] ?? [])
    .filter((value) => isKept(model(value, version)) !== kept)
    .map((it) => JSON.stringify(it));

describe('the built-in schema matches the real client', () => {
  it('2.1.330: more than 900 wrong values', () => {
    expect(Object.values(MEASURED).flat().length).toBeGreaterThan(1_000);
    expect(wrongly('2.1.330 drops the file', '2.1.330', false)).toEqual([]);
    expect(wrongly('2.1.330 keeps the file', '2.1.330', true)).toEqual([]);
  });

  it('2.1.200 refuses more', () => {
    expect(wrongly('2.1.200 drops the file', '2.1.200', false)).toEqual([]);
    // null in settings that were added later: no one writes it, and guard does not know when each was added.
    const strict = wrongly('2.1.200 keeps the file', '2.1.200', true);
    expect(strict.filter((text) => !text.endsWith(':null}'))).toEqual([]);
    expect(strict.length).toBeLessThan(10);
  });

  it('an unknown client counts as the strictest', () => {
    expect(wrongly('2.1.330 drops the file', '2.1.330', false)).toEqual([]);
    expect(isKept(model({ hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } }, null))).toBe(false);
    expect(isKept(model({ hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } }))).toBe(true);
  });

  it('one unknown event invalidates the file up to 2.1.100, and not later', () => {
    const later = { hooks: { StopFailure: [] } };
    expect(isKept(model(later, '2.1.100'))).toBe(false);
    expect(isKept(model(later, '2.1.200'))).toBe(true);
  });
});

describe('text', () => {
  it.each(['', ' \n', '\uFEFF{}', '{"hooks":{},"hooks":{}}', '{"__proto__":{"env":5}}'])(
    '%j is read',
    (text) => {
      expect(isKept(readModel(text, '2.1.330'))).toBe(true);
    },
  );

  it.each(['null', '[]', '5', '{', '{} // x', '{"a":1,}', '['.repeat(100_000)])('%.20s is not', (text) => {
    expect(isKept(readModel(text, '2.1.330'))).toBe(false);
  });
});

describe('a fault without further effect', () => {
  it('is reported with its location', () => {
    const value = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true', if: 5 }] }] } };
    expect(faultsElsewhere(model(value), '2.1.330').map(({ at }) => at)).toEqual([
      'hooks.Stop[0].hooks[0].if',
    ]);
  });
});

describe('a setting that guard does not know', () => {
  it('is reported, unless it is a comment', () => {
    const entry = { type: 'command', command: 'true', newField: 1, if: 'Bash' };
    const value = {
      $schema: 'x',
      _note: 1,
      comment: 'x',
      model: 'opus',
      newKey: 5,
      permissions: { allow: [], newRule: [] },
      hooks: { PreToolUse: [{ hooks: [entry, entry] }], NewEvent: 5 },
    };
    expect(newKeys(model(value))).toEqual([
      'newKey',
      'permissions.newRule',
      'hooks.PreToolUse[].newField',
      'hooks.NewEvent',
    ]);
    expect(isKept(model(value))).toBe(true);
  });
});
