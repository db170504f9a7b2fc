import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, text } from '../../install/scratch.ts';
import { commandsIn, everything, places } from './place.ts';

const { fresh } = places();

const SHAPES: [string, string][] = [
  ['two blanks', '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Read"]\n  }\n}\n'],
  [
    'four blanks',
    '{\n    "hooks": {\n        "Stop": [\n            {"hooks": [{"type": "command", "command": "x"}]}\n        ]\n    }\n}',
  ],
  ['tabs', '{\n\t"hooks": {\n\t\t"PreToolUse": []\n\t}\n}\n'],
  ['CRLF', '{\r\n  "model": "opus"\r\n}\r\n'],
  ['no final newline', '{\n  "model": "opus"\n}'],
  ['one line', '{"model":"opus","hooks":{"Stop":[]}}\n'],
  ['a byte order mark', '\uFEFF{\n  "model": "opus"\n}\n'],
  ['an empty file', ''],
  ['a blank line', '\n'],
  ['an empty object', '{}'],
  ['disableAllHooks', '{\n  "disableAllHooks": true\n}\n'],
  ['unusual spacing', '{ "a" :1 ,\n\n\n  "hooks":{ } }\n\n'],
  ['a megabyte', `{\n  "list": [\n${'    "some value",\n'.repeat(60_000)}    "end"\n  ]\n}\n`],
];

describe('guard init, then guard uninstall, on a settings file with', () => {
  it.each(SHAPES)('%s: byte for byte as before, and twice is a no-op', (_shape, before) => {
    const { repo, file, run, state } = fresh(before);
    const original = everything(repo);
    expect(run('init').code).toBe(0);
    const installed = everything(repo);
    expect(commandsIn(file).length).toBeGreaterThanOrEqual(8);
    const again = run('init');
    // An existing `disableAllHooks` is the owner's to remove; "already set up" would be false.
    const isOff = before.includes('disableAllHooks');
    expect([again.code, again.stderr.includes('Nothing to change')]).toEqual(isOff ? [1, false] : [0, true]);
    expect(everything(repo)).toEqual(installed);
    expect(text(`${file}.guard-backup`)).toBe(before);
    expect(run('uninstall').code).toBe(0);
    expect(everything(repo)).toEqual(original);
    expect(existsSync(state)).toBe(false);
  });

  it('nothing at all: the directory it made goes too', () => {
    const { repo, run } = fresh();
    const original = everything(repo);
    run('init');
    expect(existsSync(join(repo, '.claude'))).toBe(true);
    run('uninstall');
    expect([everything(repo), existsSync(join(repo, '.claude'))]).toEqual([original, false]);
  });

  it('a foreign change in between: only guard is removed', () => {
    const { file, run } = fresh('{\n  "model": "opus"\n}\n');
    run('init');
    put(file, text(file).replace('"model": "opus"', '"model": "sonnet"'));
    expect(run('uninstall').code).toBe(0);
    expect(text(file)).toBe('{\n  "model": "sonnet"\n}\n');
  });
});
