/** The evidence that a Read gives: whole, torn, partial, or nothing that can be compared. */
import { describe, expect, it } from 'vitest';
import { disk, oneAgent, type Scratch, type Session, sha256, wrongs } from './driver.ts';

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n + 1}\n`).join('');

function reader(content: string | Buffer = LINES): { at: Scratch; agent: Session } {
  const { at, agent } = oneAgent({ files: { 'a.txt': content } });
  agent.lock('a.txt');
  return { at, agent };
}

const writes = (agent: Session): readonly string[] =>
  wrongs(agent.pre(agent.call('Write', { file_path: agent.scratch.path('a.txt'), content: 'x' })));

describe('a torn read', () => {
  it('(the file changed between the Read and its hook) makes the next write stale until it is read again', () => {
    const { at, agent } = reader('one\n');
    const call = agent.call('Read', { file_path: at.path('a.txt') });
    const shown = disk.read(at.path('a.txt'));
    at.put('a.txt', 'two\n');
    agent.post(call, shown);
    expect(writes(agent)).toEqual(['STALE_FILE']);
    agent.read('a.txt');
    expect(writes(agent)).toEqual([]);
  });

  it('of a file that was deleted meanwhile is stale too', () => {
    const { at, agent } = reader('one\n');
    const shown = disk.read(at.path('a.txt'));
    at.git('clean', '-fdq');
    agent.post(agent.call('Read', { file_path: at.path('a.txt') }), shown);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });
});

describe('a read of a part', () => {
  it('of a file that the agent never saw is a baseline: the file as it is', () => {
    const { at, agent } = reader();
    agent.read('a.txt', 3, 2);
    expect(writes(agent)).toEqual([]);
    at.put('a.txt', `${LINES}theirs\n`);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });

  it('does not make up for a change elsewhere in the file', () => {
    const { at, agent } = reader();
    agent.read('a.txt');
    at.put('a.txt', `${LINES}theirs\n`);
    agent.read('a.txt', 1, 10);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });

  it('after a change counts once the parts add up to the whole, in any order and overlapping', () => {
    const { at, agent } = reader();
    agent.read('a.txt');
    at.put('a.txt', `${LINES}theirs\n`);
    agent.read('a.txt', 20, 20);
    expect(writes(agent)).toEqual(['STALE_FILE']);
    agent.read('a.txt', 1, 10);
    expect(writes(agent)).toEqual(['STALE_FILE']);
    agent.read('a.txt', 9, 12);
    expect(writes(agent)).toEqual([]);
  });

  it('after a change counts when the parts are read side by side', async () => {
    const { at, agent } = reader();
    agent.read('a.txt');
    at.put('a.txt', `${LINES}theirs\n`);
    const parts = Array.from({ length: 8 }, (_, nth) => 1 + 4 * nth);
    const answers = parts.map((from) => {
      const call = agent.call('Read', { file_path: at.path('a.txt'), offset: from, limit: 4 });
      const tool_response = disk.read(at.path('a.txt'), from, 4);
      return agent.fireLater('PostToolUse', {
        tool_name: call.tool,
        tool_input: call.input,
        tool_use_id: call.id,
        tool_response,
        duration_ms: 9,
      });
    });
    expect((await Promise.all(answers)).map(({ exit }) => exit)).toEqual(parts.map(() => 0));
    expect(writes(agent)).toEqual([]);
  });

  it('parts of two different contents never add up', () => {
    const { at, agent } = reader();
    agent.read('a.txt');
    at.put('a.txt', `${LINES}theirs\n`);
    agent.read('a.txt', 1, 15);
    at.put('a.txt', `other\n${LINES}theirs\n`);
    agent.read('a.txt', 16, 40);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });

  it('of what the agent saw whole before stays a baseline in the next turn', () => {
    const { agent } = reader();
    agent.read('a.txt');
    agent.prompt();
    agent.lock('a.txt');
    agent.read('a.txt', 1, 2);
    expect(writes(agent)).toEqual([]);
  });

  it('cut off by the client (first page of a long file) is a part', () => {
    const { at, agent } = reader();
    agent.read('a.txt');
    at.put('a.txt', `${LINES}theirs\n`);
    const page = disk.read(at.path('a.txt'), 1, 12) as { file: object };
    const response = { ...page, file: { ...page.file, truncatedByTokenCap: true } };
    agent.post(agent.call('Read', { file_path: at.path('a.txt') }), response);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });
});

describe('a read without text', () => {
  const shown = (bytes: Buffer) => ({
    type: 'image',
    file: { base64: bytes.toString('base64'), type: 'image/png', originalSize: bytes.length },
  });

  it('of an image that is shown byte for byte is a baseline', () => {
    const bytes = Buffer.from([1, 2, 3, 0, 255]);
    const { at, agent } = reader(bytes);
    agent.post(agent.call('Read', { file_path: at.path('a.txt') }), shown(bytes));
    expect(writes(agent)).toEqual([]);
    at.put('a.txt', Buffer.from([1, 2, 3, 0, 254]));
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });

  it('of an image that was resized, and whose file was written a moment ago, must be read again', () => {
    const { at, agent } = reader(Buffer.from([1, 2, 3]));
    const resized = { type: 'image', file: { base64: 'AAAA', originalSize: 3 } };
    agent.post(agent.call('Read', { file_path: at.path('a.txt') }), resized);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });

  it('of pages of a PDF proves nothing about a file of another size', () => {
    const { at, agent } = reader(Buffer.from('%PDF-1.7'));
    const pages = { type: 'parts', file: { originalSize: 99, count: 2, outputDir: '/tmp/x' } };
    agent.post(agent.call('Read', { file_path: at.path('a.txt'), pages: '1-2' }), pages);
    expect(writes(agent)).toEqual(['STALE_FILE']);
  });
});

describe('a read that shows text of unknown extent', () => {
  it('of a file that stood still is taken for the whole, but not where a part was asked for', async () => {
    const { at, agent } = reader('one\ntwo\nthree\n');
    at.put('b.txt', 'one\ntwo\nthree\n');
    agent.lock('b.txt');
    for (const file of ['a.txt', 'b.txt']) {
      agent.read(file);
      at.put(file, 'one\ntwo\ntheirs\n');
    }
    // Longer than the lag allowed between a tool and its hook.
    await new Promise((resolve) => setTimeout(resolve, 5_200));
    const read = (file: string, range: object) =>
      agent.post(agent.call('read_file', { filePath: at.path(file), ...range }), '1| one\n');
    read('a.txt', { startLine: 1, endLine: 1 });
    read('b.txt', {});
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual(['STALE_FILE']);
    expect(wrongs(agent.write('b.txt', 'x').pre)).toEqual([]);
  });
});

describe('a read that failed', () => {
  it('for another reason than a missing file tells nothing and spoils nothing', () => {
    const { at, agent } = reader('one\n');
    agent.read('a.txt');
    const call = agent.call('Read', { file_path: at.path('a.txt') });
    agent.failed(call, 'File content (295.9KB) exceeds maximum allowed size (256KB).');
    expect(writes(agent)).toEqual([]);
  });

  it('and a denial name the digest of the bytes that were last seen', () => {
    const { at, agent } = reader('one\n');
    agent.read('a.txt');
    at.put('a.txt', 'two\n');
    const denied = agent.write('a.txt', 'x').pre.denial;
    expect(denied?.details['baseline_hash']).toBe(sha256(Buffer.from('one\n')));
  });
});
