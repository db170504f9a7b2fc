import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, sha256 } from '../driver.ts';

describe('User Story 1: prevent stale overwrites', () => {
  it('scenario 1: the write is blocked after an external process modified the file that was read', () => {
    const { at, agent } = oneAgent({ files: { 'file_a.txt': 'H1\n' } });
    agent.lock('file_a.txt');
    agent.read('file_a.txt');
    at.put('file_a.txt', 'H2\n');

    const { pre } = agent.write('file_a.txt', 'mine\n');

    expect(expectEnvelope(pre).error_type).toBe('STALE_FILE');
    expect(at.read('file_a.txt')).toBe('H2\n');
  });

  it('scenario 2: the write succeeds when no external change occurred', () => {
    const { at, agent } = oneAgent({ files: { 'file_b.txt': 'H3\n' } });
    agent.lock('file_b.txt');
    agent.read('file_b.txt');

    const { pre, post } = agent.write('file_b.txt', 'H4\n');

    expect([pre, post]).toMatchObject([
      { exit: 0, stdout: '', stderr: '' },
      { exit: 0, stdout: '', stderr: '' },
    ]);
    expect(at.read('file_b.txt')).toBe('H4\n');
  });
});

describe('User Story 2: conflict recovery flow', () => {
  it('scenario 1: after a re-read the baseline is what is on disk, and writes are allowed until it changes again', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'H1\n' } });
    agent.lock('a.txt');
    agent.read('a.txt');
    at.put('a.txt', 'H2\n');
    expect(agent.write('a.txt', 'mine\n').pre.denial?.error_type).toBe('STALE_FILE');

    agent.read('a.txt');
    expect(agent.edit('a.txt', 'H2', 'H3').post?.exit).toBe(0);
    expect(agent.edit('a.txt', 'H3', 'H4').post?.exit).toBe(0);

    at.put('a.txt', 'H5\n');
    const { details } = expectEnvelope(agent.write('a.txt', 'mine\n').pre);
    expect(details['baseline_hash']).toBe(sha256(Buffer.from('H4\n')));
    expect(at.read('a.txt')).toBe('H5\n');
  });
});
