import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayPath, resolveTarget } from '../../src/repo/canonical.ts';
import { deadlineAfter } from '../../src/repo/clock.ts';
import { digestFile } from '../../src/repo/digest.ts';
import { errorOf } from './errors.ts';
import { gitRepo, initialise, put, scratchDir } from './scratch.ts';

const NO_HOME = { home: undefined };
const runs = Number(process.env['GUARD_TEST_RUNS'] ?? 300);

describe('hostile paths are refused or harmless, and never block', () => {
  const dir = scratchDir();
  const root = gitRepo(join(dir, 'repo'));
  initialise(root);
  const refused = (given: string, cwd = root): unknown => errorOf(() => resolveTarget(given, cwd, NO_HOME));

  it('empty, NUL, more than 4,096 characters, a name of 300, a relative path from nowhere', () => {
    for (const given of ['', 'a\0b', `/${'x/'.repeat(2048)}`, 'x'.repeat(300), 'x'.repeat(4097), '~/a']) {
      expect(refused(given)).toMatchObject({ code: 'GUARD_ERR_PATH' });
    }
    expect(refused('a', 'not/absolute')).toMatchObject({ code: 'GUARD_ERR_PATH' });
    expect(refused('a', '')).toMatchObject({ code: 'GUARD_ERR_PATH' });
  });

  it('4,096 characters that lead back into the repository are fine', () => {
    const given = `${'./'.repeat(2043)}src/a.ts`;
    expect(given.length).toBeLessThanOrEqual(4096);
    expect(resolveTarget(given, root, NO_HOME).path).toBe('src/a.ts');
  });

  it('link loops, and a link to itself below itself', () => {
    symlinkSync('loop-b', join(root, 'loop-a'));
    symlinkSync('loop-a', join(root, 'loop-b'));
    symlinkSync('self/x', join(root, 'self'));
    for (const given of ['loop-a', 'loop-b/x', 'self', 'self/y']) {
      expect(refused(given)).toMatchObject({ code: 'GUARD_ERR_PATH', facts: { reason: 'ELOOP' } });
    }
  });

  it('a newline, an escape sequence and a backslash are part of the name, and shown on one line', () => {
    const name = 'src/new\nline\u001b[31m\u202e\\b.ts';
    put(join(root, name));
    const target = resolveTarget(name, root, NO_HOME);
    expect(target).toMatchObject({ kind: 'file', path: name });
    expect(displayPath(target.path)).toBe('src/new\\u000aline\\u001b[31m\\u202e\\b.ts');
  });

  it('a name that is not UTF-8 is refused: it would be told missing', () => {
    if (process.platform !== 'linux') return;
    const latin1 = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x63, 0xe9])]);
    mkdirSync(latin1);
    writeFileSync(Buffer.concat([latin1, Buffer.from('/f')]), '');
    symlinkSync(Buffer.from([0x63, 0xe9]), join(root, 'to-latin1'));
    expect(refused('to-latin1/f')).toMatchObject({ code: 'GUARD_ERR_PATH' });
    expect(refused('to-latin1/missing')).toMatchObject({ code: 'GUARD_ERR_PATH' });
    expect(resolveTarget('src/\ufffd', root, NO_HOME).kind).toBe('missing');
  });

  it('FIFO, socket and devices are seen and digested without being opened', async () => {
    execFileSync('mkfifo', [join(root, 'fifo')]);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(join(root, 'socket'), listening));
    symlinkSync('/dev/zero', join(root, 'zero'));
    const start = performance.now();
    for (const given of ['fifo', 'socket', 'zero', '/dev/tty', '/dev/random']) {
      const target = resolveTarget(given, root, NO_HOME);
      expect(target.kind).toBe('special');
      digestFile(target.real, { deadline: deadlineAfter(1000) });
    }
    expect(performance.now() - start).toBeLessThan(1000);
    server.close();
  });

  it('any string at all either resolves or is GUARD_ERR_PATH, within milliseconds', () => {
    const piece = fc.constantFrom(
      'a',
      'src',
      '..',
      '.',
      '~',
      '',
      '\n',
      'loop-a',
      'self',
      'fifo',
      'zero',
      '\u{1f600}',
      ' ',
      '-rf',
      '*',
      '\\',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(piece, { maxLength: 12 }).map((it) => it.join('/')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(root, dir, '/', '/dev', '/proc/self'), (given, cwd) => {
        const start = performance.now();
        const failure = errorOf(() => resolveTarget(given, cwd, { home: root }));
        expect(performance.now() - start).toBeLessThan(500);
        if (failure !== null) expect(failure).toMatchObject({ code: 'GUARD_ERR_PATH' });
      }),
      { numRuns: runs },
    );
  });
});
