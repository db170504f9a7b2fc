/** Read, Edit, PostToolUse, Edit in every encoding that the client edits: no false denial, and no false "seen". */
import { describe, expect, it } from 'vitest';
import { oneAgent, wrongs } from './driver.ts';

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');

const CASES: readonly [string, Buffer][] = [
  ['LF', Buffer.from('one\ntwo\nthree\n')],
  ['CR LF', Buffer.from('one\r\ntwo\r\nthree\r\n')],
  ['mixed line ends, mostly CR LF', Buffer.from('one\r\ntwo\nthree\r\nfour\r\n')],
  ['mixed line ends, mostly LF', Buffer.from('one\ntwo\r\nthree\nfour\n')],
  ['a byte order mark', Buffer.from('\uFEFFone\ntwo\nthree\n')],
  ['a byte order mark and CR LF', Buffer.from('\uFEFFone\r\ntwo\r\nthree\r\n')],
  ['UTF-16', utf16('one\ntwo\nthrée\n')],
  ['UTF-16 and CR LF', utf16('one\r\ntwo\r\nthrée\r\n')],
  ['no final newline', Buffer.from('one\ntwo\nthree')],
  ['lone CRs', Buffer.from('one\rtwo\rthree\n')],
  ['characters beyond the first plane', Buffer.from('one 🦀\ntwo é\u0301\nthree\n')],
];

describe.each(CASES)('a file with %s', (name, bytes) => {
  const isMixed = name.startsWith('mixed');

  it('is edited twice after one read, written whole, and stale after somebody else', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': bytes } });
    agent.lock('a.txt');
    agent.read('a.txt');
    for (const [from, to] of [
      ['one', 'ONE'],
      ['two', 'TWO'],
    ] as const) {
      const { pre, post } = agent.edit('a.txt', from, to);
      expect([pre.exit, post?.exit, post?.stdout, post?.stderr]).toEqual([0, 0, '', '']);
    }
    const { post } = agent.write('a.txt', 'whole\n');
    expect([post?.exit, post?.stdout]).toEqual([0, '']);
    const records = at.log('write');
    expect(records.map(({ content }) => content)).toEqual(Array(3).fill('as_expected'));
    // The text does not show which line ending was where, so the first original cannot be proven.
    expect(records.map(({ original }) => original)).toEqual([
      isMixed ? 'unverified' : 'same',
      'same',
      'same',
    ]);
    at.put('a.txt', Buffer.concat([bytes, bytes]));
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });
});

describe('a file in Latin-1', () => {
  it('that the client refuses to write is free again after the failure', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]) } });
    agent.lock('a.txt');
    const call = agent.call('Write', { file_path: at.path('a.txt'), content: 'x' });
    expect(agent.pre(call).exit).toBe(0);
    agent.failed(call, 'File is not valid UTF-8: …');
    expect(agent.pre(agent.call('Write', { file_path: at.path('a.txt'), content: 'x' })).exit).toBe(0);
  });

  it('with one byte changed to another that reads the same is stale', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': Buffer.from([0x63, 0xe9, 0x0a]) } });
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', Buffer.from([0x63, 0xe8, 0x0a]));
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
  });
});
