/** `guard init --statusline`: guard's line next to an existing one; uninstall restores the file byte for byte. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GUARD, runNow, scratch, type Scratch } from '../../claude/driver.ts';
import { existsSync, readFileSync } from 'node:fs';

const LOCAL = '.claude/settings.local.json';
const made = (init: readonly string[] = []): Scratch => scratch({ init, fresh: true });
const commandIn = (file: string): string | undefined => {
  const { statusLine } = JSON.parse(readFileSync(file, 'utf8')) as { statusLine?: { command: string } };
  return statusLine?.command;
};
const own = (text = ''): RegExp => new RegExp(`guard(?:\\.cjs)? statusline${text}$`);

describe('guard init --statusline', () => {
  it('puts it into settings that are not committed, keeps it, and takes it away', () => {
    const at = made();
    const before = existsSync(at.path(LOCAL)) ? at.read(LOCAL) : null;
    expect(at.guard('init', '--statusline').exit).toBe(0);
    expect(commandIn(at.path(LOCAL))).toMatch(own());
    expect(commandIn(at.path('.claude/settings.json'))).toBeUndefined();
    expect((at.guard('init', '--json').json() as { changed: boolean }).changed).toBe(false);
    expect(commandIn(at.path(LOCAL))).toMatch(own());
    expect(at.guard('init', '--no-statusline').exit).toBe(0);
    expect(existsSync(at.path(LOCAL)) ? at.read(LOCAL) : null).toBe(before);
  });

  it('runs, as the client would start it, beside the user’s own', () => {
    const at = made();
    at.put(join(at.home, '.claude/settings.json'), '{"statusLine":{"type":"command","command":"echo mine"}}');
    at.guard('init', '--statusline');
    const command = commandIn(at.path(LOCAL)) ?? '';
    expect(command).toMatch(own(" --beside 'echo mine'"));
    const { stdout } = runNow({
      ...{ program: '/bin/sh', args: ['-c', command], cwd: at.root },
      ...{ env: { ...at.env, NO_COLOR: '1' }, stdin: '{"session_id":"s"}' },
    });
    expect(stdout).toBe('mine | guard: this session is unguarded\n');
  });

  it.each(['local', 'user'] as const)(
    'in scope %s keeps what is there, and uninstall restores it',
    (scope) => {
      const at = scratch({ init: null });
      const file = scope === 'user' ? join(at.home, '.claude/settings.json') : at.path(LOCAL);
      const before = '{\n\t"statusLine": { "type": "command", "command": "it\'s mine", "padding": 1 }\n}\n';
      at.put(file, before);
      expect(at.guard('init', '--scope', scope, '--statusline').exit).toBe(0);
      expect(commandIn(file)).toMatch(own(" --beside 'it'\\\\''s mine'"));
      expect(readFileSync(file, 'utf8')).toContain('"padding": 1');
      // The file was changed since by someone else: guard's part is removed, theirs is kept.
      at.put(file, readFileSync(file, 'utf8').replace('"padding": 1', '"padding": 2'));
      expect(at.guard('uninstall').exit).toBe(0);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
        statusLine: { type: 'command', command: "it's mine", padding: 2 },
      });
    },
  );

  it('uninstall leaves the bytes that were there', () => {
    const at = scratch({ init: null });
    const before = '{"statusLine":{"type":"command","command":"mine"},"model":"x"}';
    at.put(LOCAL, before);
    at.guard('init', '--statusline');
    expect(at.read(LOCAL)).not.toBe(before);
    expect(at.guard('uninstall').exit).toBe(0);
    expect(at.read(LOCAL)).toBe(before);
  });

  it('is started by no path that is gone: the command is the one that agents are told', () => {
    const at = made(['--statusline']);
    expect(commandIn(at.path(LOCAL))).toContain(GUARD);
  });
});
