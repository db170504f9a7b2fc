/** The specification's edge cases, and files that are not plain text. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent } from '../driver.ts';

describe('edge case: file deletion', () => {
  it('a write is blocked as target missing after the file that was read was deleted', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.read('a.txt');
    fs.rmSync(at.path('a.txt'));
    const denial = expectEnvelope(agent.write('a.txt', 'mine\n').pre);
    expect(denial).toMatchObject({
      error_type: 'STALE_FILE',
      details: { cause: 'target_missing', current_disk_hash: null },
    });
    expect(fs.existsSync(at.path('a.txt'))).toBe(false);
  });

  it('reading the missing file and creating it again is the way back', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.read('a.txt');
    fs.rmSync(at.path('a.txt'));
    agent.write('a.txt', 'mine\n');
    agent.read('a.txt');
    expect(agent.write('a.txt', 'mine\n').post?.exit).toBe(0);
    expect(agent.edit('a.txt', 'mine', 'still mine').post?.exit).toBe(0);
    expect(at.read('a.txt')).toBe('still mine\n');
  });

  it('a file that was read as missing and exists by then is stale', () => {
    const { at, agent } = oneAgent();
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'theirs\n');
    expect(expectEnvelope(agent.write('a.txt', 'mine\n').pre).error_type).toBe('STALE_FILE');
    expect(at.read('a.txt')).toBe('theirs\n');
  });

  it('a file that was replaced by a rename and kept its size and mtime is stale', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    agent.read('a.txt');
    const { atime, mtime } = fs.statSync(at.path('a.txt'));
    const other = at.put('b.txt', 'two\n');
    fs.renameSync(other, at.path('a.txt'));
    fs.utimesSync(at.path('a.txt'), atime, mtime);
    expect(agent.write('a.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');
  });
});

describe('edge case: read-only access', () => {
  it('a file that is read and never written costs no check and no record, whatever becomes of it', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    const before = at.log().length;
    const answer = agent.read('a.txt');
    at.put('a.txt', 'two\n');
    expect(answer).toMatchObject({ exit: 0, stdout: '', stderr: '' });
    expect(agent.stop()).toMatchObject({ exit: 0, stderr: '' });
    // The change is noticed (drift), but no write is checked.
    const types = at
      .log()
      .slice(before)
      .map(({ type }) => type);
    expect(types.filter((type) => type !== 'drift')).toEqual(['turn']);
  });
});

describe('edge case: directory writes', () => {
  it('a directory as target is left to the client', () => {
    const { at, agent } = oneAgent({ files: { 'src/a.txt': 'one\n' } });
    const call = agent.call('Write', { file_path: at.path('src'), content: 'x' });
    expect(agent.pre(call)).toMatchObject({ exit: 0, stdout: '' });
    expect(agent.failed(call, 'EISDIR: illegal operation on a directory')).toMatchObject({
      exit: 0,
      stderr: '',
    });
  });

  it('a directory that took the place of a file that was read is left to the client too', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.read('a.txt');
    fs.rmSync(at.path('a.txt'));
    fs.mkdirSync(at.path('a.txt'));
    expect(agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' })).exit).toBe(0);
  });
});

describe('files that are not plain text files', () => {
  it('an empty file is read, filled, and stale after somebody else filled it', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': '', 'b.txt': '' } });
    agent.lock('a.txt', 'b.txt');
    agent.read('a.txt');
    agent.read('b.txt');
    expect(agent.write('a.txt', 'mine\n').post?.exit).toBe(0);
    at.put('b.txt', 'theirs\n');
    expect(agent.write('b.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('a file of mode 0444 is judged by its content like any other', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    fs.chmodSync(at.path('a.txt'), 0o444);
    agent.lock('a.txt');
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    fs.chmodSync(at.path('a.txt'), 0o644);
    at.put('a.txt', 'theirs\n');
    fs.chmodSync(at.path('a.txt'), 0o444);
    expect(agent.write('a.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('a binary file is compared byte for byte', () => {
    const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255, 254]);
    const { at, agent } = oneAgent({ files: { 'a.png': bytes } });
    agent.lock('a.png');
    const shown = {
      type: 'image',
      file: { base64: bytes.toString('base64'), type: 'image/png', originalSize: 9 },
    };
    const read = agent.call('Read', { file_path: at.path('a.png') });
    agent.post(read, shown);
    expect(agent.pre(agent.call('Write', { file_path: at.path('a.png'), content: 'x' })).exit).toBe(0);
    at.put('a.png', Buffer.concat([bytes.subarray(0, 8), Buffer.from([253])]));
    expect(agent.write('a.png', 'x').pre.denial?.error_type).toBe('STALE_FILE');
  });

  it('a symbolic link is its target: read through one, changed through the other, stale', () => {
    const { at, agent } = oneAgent({ files: { 'real.txt': 'one\n' } });
    fs.symlinkSync('real.txt', at.path('link.txt'));
    agent.lock('link.txt');
    agent.read('link.txt');
    at.put('real.txt', 'two\n');
    expect(agent.write('real.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');
    agent.read('real.txt');
    expect(agent.pre(agent.call('Edit', { file_path: at.path('link.txt'), old_string: 'two' })).exit).toBe(0);
  });

  it.each([
    ['a FIFO', 'GUARD_ERR_UNREADABLE', (path: string) => execFileSync('mkfifo', [path])],
    ['a link to a device', 'GUARD_ERR_UNREADABLE', (path: string) => fs.symlinkSync('/dev/zero', path)],
    ['a file of a process', 'GUARD_ERR_PATH', (path: string) => fs.symlinkSync('/proc/self/mem', path)],
  ])('%s is never waited for: reading goes on, writing is denied at once', (_, code, make) => {
    const { at, agent } = oneAgent();
    make(at.path('odd'));
    const call = agent.call('Write', { file_path: at.path('odd'), content: 'x' });
    const pre = agent.pre(call);
    expect(expectEnvelope(pre)).toMatchObject({
      error_type: 'GUARD_ERROR',
      details: { code },
    });
    const read = agent.post(agent.call('Read', { file_path: at.path('odd') }), { type: 'text', file: {} });
    expect(read.exit).toBe(0);
    expect(Math.max(pre.took_ms, read.took_ms)).toBeLessThan(4_000);
  });

  it.skipIf(process.getuid?.() === 0)('an unreadable file is denied as GUARD_ERROR, with the cause', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    fs.chmodSync(at.path('a.txt'), 0o000);
    expect(expectEnvelope(agent.write('a.txt', 'mine\n').pre)).toMatchObject({
      error_type: 'GUARD_ERROR',
      details: { code: 'GUARD_ERR_UNREADABLE', cause: expect.stringContaining('EACCES') as string },
    });
  });
});
