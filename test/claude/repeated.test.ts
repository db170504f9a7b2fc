import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Denial } from '../../src/core/denial.ts';
import { deny, SILENT } from '../../src/claude/output.ts';
import { namedBy } from '../../src/claude/repeated.ts';
import { toldFile, type KeptLine } from '../../src/claude/told-file.ts';
import { makeDir, removeDir } from '../store/scratch.ts';

const REQUEST = '0123456789abcdef0123';
const DENIAL: Denial = {
  error_type: 'NOT_LOCKED',
  message: 'm',
  details: { path: '/a.txt', next: [] },
  recovery_hint: 'h',
};

let dir = '';
beforeEach(() => {
  dir = makeDir();
  mkdirSync(dirname(toldFile(dir, REQUEST)), { recursive: true });
});
afterEach(() => removeDir(dir));

const kept = (line: KeptLine): void => appendFileSync(toldFile(dir, REQUEST), `${JSON.stringify(line)}\n`);

test('a server that is late commits after the command has begun: the command tells what that server was about to tell', () => {
  const again = namedBy(REQUEST);
  again.place?.(dir, 'PostToolUse');
  const { id = '', first } = again('revoked.told');
  expect([first?.sign, first?.answer([]), again.hasTold?.()]).toEqual([[], [], false]);
  kept({ id, agent: 'claude-s', result: ['a.txt'] });
  expect(first?.sign).toMatchObject([{ type: 'renew', agent: 'claude-s' }]);
  expect(first?.answer([])).toEqual(['a.txt']);
  expect([again.hasTold?.(), again.hasTold?.('revoked.told'), again.hasTold?.('drift.told')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('a server that is late answers after the command has begun: the command gives its own answer, with what only the server told', () => {
  const again = namedBy(REQUEST);
  again.place?.(dir, 'PostToolUse');
  kept({ note: 'Zed changed a.txt.' });
  kept({ answer: deny(DENIAL) });
  const { exit, stdout } = again.completed(SILENT);
  expect(exit).toBe(0);
  expect(stdout).toContain('Zed changed a.txt.');
  expect(existsSync(toldFile(dir, REQUEST))).toBe(false);
});

test('a server that had answered before it died: the command gives that answer', () => {
  kept({ answer: deny(DENIAL) });
  const again = namedBy(REQUEST);
  again.place?.(dir, 'PreToolUse');
  expect(again.completed(SILENT)).toEqual(deny(DENIAL));
});

test('a server dies after it has marked a note as told, and the command denies: the denial carries the note', () => {
  kept({ note: 'Zed changed "a.txt".' });
  const again = namedBy(REQUEST);
  again.place?.(dir, 'PreToolUse');
  const { exit, stdout, stderr } = again.completed(deny(DENIAL));
  const { reason } = JSON.parse(stdout) as { reason: string };
  expect([exit, JSON.parse(reason)]).toMatchObject([
    2,
    { details: { path: '/a.txt', notes: ['Zed changed "a.txt".'] } },
  ]);
  expect(stderr).toContain('Zed changed');
});
