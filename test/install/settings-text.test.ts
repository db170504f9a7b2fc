import { describe, expect, it } from 'vitest';
import { readSettingsText, SettingsFault } from '../../src/install/settings-text.ts';

const read = (text: string) => readSettingsText(Buffer.from(text, 'utf8'));

describe('settings that the client ignores are refused with their place', () => {
  it.each([
    ['a line comment', '{\n  // model\n  "model": "x"\n}', 'it has a comment, which is not JSON', 2, 3],
    ['a block comment', '{ /* x */ }', 'it has a comment, which is not JSON', 1, 3],
    ['a comment at the end', '{}\n// end', 'it has a comment, which is not JSON', 2, 1],
    ['a trailing comma', '{\n  "a": 1,\n}', 'it has a trailing comma, which is not JSON', 2, 9],
    ['a trailing comma in a list', '{"a": [1, 2,]}', 'it has a trailing comma, which is not JSON', 1, 12],
    ['a missing brace', '{\n  "a": 1\n', 'it is not valid JSON', 3, 1],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 'it is not valid JSON', 3, 3],
    ['single quotes', "{'a': 1}", 'it is not valid JSON', 1, 2],
    ['text behind it', '{} x', 'it is not valid JSON', 1, 4],
    ['a list', '\n [1]', 'it is not an object', 2, 2],
    ['a string for hooks', '{"hooks": "none"}', 'hooks is not an object', 1, 11],
    ['an object for an event', '{\n "hooks": {"Stop": {}}}', 'hooks.Stop is not an array', 2, 20],
    [
      'a string for the rules',
      '{"permissions": {"allow": "Bash"}}',
      'permissions.allow is not an array',
      1,
      27,
    ],
    ['hooks twice', '{"hooks": {},\n"hooks": {}}', 'hooks is in it twice', 2, 1],
    ['an event twice', '{"hooks": {"Stop": [], "Stop": []}}', 'Stop is in it twice', 1, 24],
  ])('%s', (_what, text, reason, line, column) => {
    const fault = read(text);
    expect(fault).toBeInstanceOf(SettingsFault);
    expect(fault).toEqual({ reason, place: { line, column } });
  });

  it('bytes that are not UTF-8', () => {
    expect(readSettingsText(Buffer.from([0x7b, 0xff, 0x7d]))).toEqual({
      reason: 'it is not UTF-8',
      place: null,
    });
  });

  it('nesting that no parser follows to its end', () => {
    const deep = '{"a":'.repeat(50_000);
    expect(read(deep)).toBeInstanceOf(SettingsFault);
  });
});

describe('settings that the client reads', () => {
  it('may be empty', () => {
    expect(read('')).toEqual({ text: '{}\n', bom: '', value: {} });
    expect(read(' \n')).toEqual({ text: '{}\n', bom: '', value: {} });
  });

  it('may begin with a byte order mark', () => {
    expect(read('\uFEFF{"a":1}')).toEqual({ text: '{"a":1}', bom: '\uFEFF', value: { a: 1 } });
  });

  it('may have keys twice where guard edits nothing', () => {
    expect(read('{"env": {"A": "1", "A": "2"}}')).not.toBeInstanceOf(SettingsFault);
  });
});
