/** `guard undo` in real repositories: who may undo which write, and the resulting content. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { oneAgent, type Scratch, sha256, working } from '../claude/driver.ts';

interface File {
  readonly path: string;
  readonly restored: boolean;
  readonly to: string | null;
  readonly diff?: string | null;
  readonly instead?: string;
  readonly denial?: { readonly error_type: string };
  readonly error?: { readonly code: string; readonly facts: Readonly<Record<string, unknown>> };
}
const files = (answer: { json(): unknown }): readonly File[] =>
  (answer.json() as { files: readonly File[] }).files;
const digest = (text: string): string => sha256(Buffer.from(text));
const contents = ({ state }: Scratch): string => join(state, 'contents');

const ONE = 'a\nb\nc\n';

describe('a person', () => {
  test('reverts a change that a command made unnoticed, and reverts the revert', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    at.put('x.txt', 'sed was here\n');

    const shown = at.guard('undo', 'x.txt', '--dry-run');
    expect(shown.stdout).toContain('-sed was here');
    expect(shown.stdout).toContain('+B');
    expect(at.read('x.txt')).toBe('sed was here\n');

    agent.guard('lock', 'release', at.path('x.txt'));
    expect(at.guard('undo', 'x.txt').exit).toBe(0);
    expect(at.read('x.txt')).toBe('a\nB\nc\n');
    expect(at.log('write').at(-1)).toMatchObject({
      tool: 'undo',
      path: 'x.txt',
      digest: digest('a\nB\nc\n'),
    });

    expect(at.guard('undo', 'x.txt').exit).toBe(0);
    expect(at.read('x.txt')).toBe('sed was here\n');
  });

  test('leaves no lock behind', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    agent.guard('lock', 'release', at.path('x.txt'));
    expect(at.guard('undo', 'x.txt').exit).toBe(0);
    expect(at.read('x.txt')).toBe(ONE);
    expect(working(at).guard('lock', 'try', at.path('x.txt')).exit).toBe(0);
  });

  test('is refused while an agent holds the file, and nothing changes', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    const told = at.guard('undo', 'x.txt', '--json');
    expect(told.exit).toBe(1);
    expect(files(told)[0]).toMatchObject({ restored: false, denial: { error_type: 'LOCKED_BY_OTHER' } });
    expect(at.read('x.txt')).toBe('a\nB\nc\n');
  });

  test('brings back a file that a command removed, with its directory', () => {
    const { at, agent } = oneAgent({ files: { 'src/x.txt': ONE } });
    agent.lock('src/x.txt');
    agent.read('src/x.txt');
    agent.edit('src/x.txt', 'b', 'B');
    agent.guard('lock', 'release', at.path('src/x.txt'));
    fs.rmSync(at.path('src'), { recursive: true });
    expect(at.guard('undo', 'src/x.txt').exit).toBe(0);
    expect(at.read('src/x.txt')).toBe('a\nB\nc\n');
  });

  test('removes a file that an agent made, and shows all that goes', () => {
    const { at, agent } = oneAgent();
    agent.lock('new.txt');
    agent.write('new.txt', 'mine\n');
    agent.guard('lock', 'release', at.path('new.txt'));
    const told = at.guard('undo', 'new.txt', '--json');
    expect(files(told)[0]).toMatchObject({ restored: true, to: null });
    expect(files(told)[0]?.diff).toContain('-mine');
    expect(fs.existsSync(at.path('new.txt'))).toBe(false);
    expect(at.guard('undo', 'new.txt').exit).toBe(0);
    expect(at.read('new.txt')).toBe('mine\n');
  });

  test('puts a file back as it was at a record', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    for (const [before, after] of ['ab', 'bc', 'cd'].map((pair) => pair.split('')))
      agent.edit('x.txt', `${before ?? ''}\n`, `${after ?? ''}${after ?? ''}\n`);
    agent.guard('lock', 'release', at.path('x.txt'));
    const [first] = at.log('write');
    expect(at.guard('undo', 'x.txt', '--to', String(first?.['lsn'])).exit).toBe(0);
    expect(at.read('x.txt')).toBe('bb\nb\nc\n');
    expect(at.guard('undo', 'x.txt', '--to', '0').exit).toBe(0);
    expect(at.read('x.txt')).toBe(ONE);
  });

  test('keeps the mode of the file, and follows no link to another place', () => {
    const { at, agent } = oneAgent({ files: { 'run.sh': '#!/bin/sh\n', 'other.txt': 'other\n' } });
    fs.chmodSync(at.path('run.sh'), 0o751);
    agent.lock('run.sh');
    agent.read('run.sh');
    agent.edit('run.sh', '/bin/sh', '/bin/bash');
    agent.guard('lock', 'release', at.path('run.sh'));
    fs.symlinkSync('run.sh', at.path('link.sh'));
    expect(at.guard('undo', 'link.sh').exit).toBe(0);
    expect(at.read('run.sh')).toBe('#!/bin/sh\n');
    expect(fs.statSync(at.path('run.sh')).mode & 0o777).toBe(0o751);
    expect(fs.lstatSync(at.path('link.sh')).isSymbolicLink()).toBe(true);
  });

  test('reads a description of bytes that are not text, and still gets them back', () => {
    const before = Buffer.from([0, 255, 1, 254]);
    const { at, agent } = oneAgent({ files: { 'x.bin': before } });
    agent.lock('x.bin');
    expect(agent.write('x.bin', 'text\n').post?.exit).toBe(0);
    agent.guard('lock', 'release', at.path('x.bin'));
    const told = at.guard('undo', 'x.bin', '--json');
    expect(files(told)[0]).toMatchObject({ restored: true, diff: null });
    expect(files(told)[0]?.instead).toContain('not text');
    expect(fs.readFileSync(at.path('x.bin'))).toEqual(before);
  });

  test('is shown the newest changes first, with what can still be had', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE, '.env': 'KEY=1\n' } });
    agent.lock('x.txt', '.env');
    agent.read('x.txt');
    agent.read('.env');
    agent.edit('.env', '1', '2');
    agent.edit('x.txt', 'b', 'B');
    const { changes } = at.guard('undo', '--json').json() as { changes: readonly Record<string, unknown>[] };
    expect(changes).toMatchObject([
      { path: 'x.txt', agents: [agent.name], available: true },
      { path: '.env', agents: [agent.name], available: false },
    ]);
    expect(at.guard('undo').stdout).toContain('the content before is not kept');
  });
});

describe('content that is not available', () => {
  test('is reported, with the git command if git has it', () => {
    const { at, agent } = oneAgent({ files: { '.env': 'KEY=1\n' } });
    at.git('add', '.env');
    agent.lock('.env');
    agent.read('.env');
    agent.edit('.env', '1', '2');
    agent.guard('lock', 'release', at.path('.env'));
    const told = at.guard('undo', '.env', '--json');
    expect(told.exit).toBe(1);
    const { error } = told.json() as { error: NonNullable<File['error']> };
    expect(error.code).toBe('GUARD_ERR_NO_CONTENT');
    expect(at.shell(String(error.facts['git']), {}).exit).toBe(0);
    expect(at.read('.env')).toBe('KEY=1\n');
  });

  test('damaged: it is noticed, not restored, and stored again at the next look', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    agent.guard('lock', 'release', at.path('x.txt'));
    fs.writeFileSync(join(contents(at), digest(ONE)), 'xyz\n\n\n');
    const told = at.guard('undo', 'x.txt', '--json');
    expect([told.exit, told.json()]).toMatchObject([1, { error: { code: 'GUARD_ERR_NO_CONTENT' } }]);
    expect(fs.existsSync(join(contents(at), digest(ONE)))).toBe(false);
    at.put('x.txt', ONE);
    agent.read('x.txt');
    expect(fs.readFileSync(join(contents(at), digest(ONE)), 'utf8')).toBe(ONE);
  });

  test('nothing recorded: nothing to undo, and not a failure of guard', () => {
    const { at } = oneAgent({ files: { 'x.txt': ONE } });
    const told = at.guard('undo', 'x.txt');
    expect([told.exit, told.stderr]).toEqual([1, '']);
    expect(at.read('x.txt')).toBe(ONE);
  });

  test('the current content cannot be stored: nothing is replaced', () => {
    const { at, agent } = oneAgent({ files: { 'x.txt': ONE } });
    agent.lock('x.txt');
    agent.read('x.txt');
    agent.edit('x.txt', 'b', 'B');
    agent.guard('lock', 'release', at.path('x.txt'));
    at.put('x.txt', Buffer.alloc(5 << 20, 'x'));
    const told = at.guard('undo', 'x.txt', '--json');
    expect([told.exit, told.json()]).toMatchObject([1, { error: { code: 'GUARD_ERR_UNDO' } }]);
    expect(fs.statSync(at.path('x.txt')).size).toBe(5 << 20);
    fs.renameSync(at.path('x.txt'), at.path('aside.txt'));
    expect(at.guard('undo', 'x.txt').exit).toBe(0);
    expect(at.read('x.txt')).toBe('a\nB\nc\n');
  });
});
