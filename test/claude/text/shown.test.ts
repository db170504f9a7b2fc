import { describe, expect, test } from 'vitest';
import { detectEncoding } from '../../../src/claude/text/encoding.ts';
import { compareShown, shownText } from '../../../src/claude/text/shown.ts';
import { read } from './client-model.ts';
import { postToolUse, recordedCalls } from './recorded.ts';

const ten = Buffer.from('1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n');
const text = (content: string, numLines: number, startLine: number, totalLines: number): unknown => ({
  type: 'text',
  file: { filePath: '/repo/a.txt', content, numLines, startLine, totalLines },
});

describe('what the real client showed is recognised on the disk it was read from', () => {
  const reads = recordedCalls().filter(({ tool }) => tool === 'Read');
  test.each(reads.map((call) => [call.name, call] as const))('%s', (_name, { before, response }) => {
    const disk = before ?? Buffer.alloc(0);
    const file = response['file'] as { startLine?: number; numLines?: number; totalLines?: number };
    const isWhole =
      response['type'] !== 'text' || ((file.startLine ?? 1) <= 1 && file.numLines === file.totalLines);
    const isExact =
      ['utf8', 'utf16le'].includes(detectEncoding(disk).encoding) || response['type'] !== 'text';
    const verdict = isWhole ? 'whole' : 'part';
    expect(compareShown(response, disk)).toMatchObject({
      verdict: isExact ? verdict : 'unsure',
      extent: verdict,
    });
  });

  test('and in no case after somebody added a line', () => {
    const changed = reads.map(({ before, response }) =>
      compareShown(response, Buffer.concat([before ?? Buffer.alloc(0), Buffer.from('x\n')])),
    );
    expect(changed.filter(({ verdict }) => verdict === 'whole' || verdict === 'part')).toEqual([]);
  });
});

describe('recorded payloads of all versions', () => {
  test.each(postToolUse('Read').map((payload) => [payload.name, payload] as const))(
    '%s shows its file',
    (name, { tool_response }) => {
      const { content, startLine } = tool_response['file'] as { content?: string; startLine?: number };
      if (content === undefined) return;
      const head = Array.from({ length: (startLine ?? 1) - 1 }, (_, index) => `line ${index + 1}\n`).join('');
      const tail = name.includes('offset')
        ? Array.from({ length: 286 }, (_, index) => `\nline ${index + 15}`).join('') + '\n'
        : '';
      const verdict = tail === '' ? 'whole' : 'part';
      expect(compareShown(tool_response, Buffer.from(head + content + tail)).verdict).toBe(verdict);
    },
  );
});

describe('part of a file', () => {
  test.each([
    ['from the start', text('1\n2\n3', 3, 1, 11), { from_line: 1, lines: 3 }],
    ['in the middle', text('3\n4', 2, 3, 11), { from_line: 3, lines: 2 }],
    ['to the end', text('9\n10\n', 3, 9, 11), { from_line: 9, lines: 2 }],
    [
      'everything but the end of the last line',
      text('1\n2\n3\n4\n5\n6\n7\n8\n9\n10', 10, 1, 11),
      { from_line: 1, lines: 10 },
    ],
    ['the empty line after the final newline', text('', 1, 11, 11), { from_line: 11, lines: 0 }],
    ['nothing, past the end', text('', 0, 12, 11), { from_line: 12, lines: 0 }],
    [
      'a first page',
      {
        type: 'text',
        file: { content: '1\n2', numLines: 2, startLine: 1, totalLines: 11, truncatedByTokenCap: true },
      },
      { from_line: 1, lines: 2 },
    ],
  ])('%s is part', (_name, response, range) => {
    expect(compareShown(response, ten)).toEqual({
      verdict: 'part',
      extent: 'part',
      total_lines: 10,
      ...range,
    });
  });

  test('an empty line in the middle counts as one', () => {
    expect(compareShown(text('', 1, 2, 4), Buffer.from('a\n\nb\n'))).toMatchObject({
      verdict: 'part',
      lines: 1,
      total_lines: 3,
    });
    expect(compareShown(text('a\n', 2, 1, 4), Buffer.from('a\n\nb\n'))).toMatchObject({
      verdict: 'part',
      lines: 2,
    });
  });

  test.each([
    ['another text there', text('3\nX', 2, 3, 11)],
    ['the same text one line off', text('3\n4', 2, 4, 11)],
    ['half a line', text('3\n4', 2, 3, 11), Buffer.from('1\n2\n3\n40\n5\n6\n7\n8\n9\n10\n')],
    ['a line that is not there any more', text('9\n10', 2, 9, 11), Buffer.from('1\n2\n')],
    [
      'the same lines of a file that grew elsewhere',
      text('3\n4', 2, 3, 11),
      Buffer.concat([ten, Buffer.from('11\n')]),
    ],
    [
      'nothing, past the end of a longer file',
      text('', 0, 12, 11),
      Buffer.concat([ten, Buffer.from('11\n12\n')]),
    ],
  ])('%s is different', (_name, response, disk = ten) => {
    expect(compareShown(response, disk).verdict).toBe('different');
  });
});

describe('what the whole file is', () => {
  test('line 0 is line 1', () => {
    expect(compareShown(text('a\n', 2, 0, 2), Buffer.from('a\n'))).toEqual({
      verdict: 'whole',
      extent: 'whole',
      from_line: 1,
      lines: 1,
      total_lines: 1,
    });
  });

  test('an empty file is shown whole', () => {
    expect(compareShown(text('', 1, 1, 1), Buffer.alloc(0)).verdict).toBe('whole');
    expect(compareShown(text('', 1, 1, 1), Buffer.from('a')).verdict).toBe('different');
  });

  test('a file that lost the final newline that the client counted is different', () => {
    expect(compareShown(text('a', 1, 1, 2), Buffer.from('a')).verdict).toBe('different');
  });

  test('a text that shows the byte order mark, or CR LF, is the same text', () => {
    expect(compareShown(text('\uFEFFa\r\n', 2, 1, 2), Buffer.from('\uFEFFa\r\n')).verdict).toBe('whole');
  });

  test('Latin-1 proves nothing, but a difference still shows', () => {
    const disk = Buffer.from('caf\xe9\n', 'latin1');
    expect(compareShown(read(disk), disk)).toMatchObject({ verdict: 'unsure', extent: 'whole' });
    expect(compareShown(read(disk), Buffer.from('caff\xe9\n', 'latin1')).verdict).toBe('different');
    expect(compareShown(read(disk, { limit: 1 }), disk)).toMatchObject({ verdict: 'unsure', extent: 'part' });
  });

  test('one broken sequence may be shown as several replacement characters', () => {
    const disk = Buffer.from([0x61, 0xe2, 0x82, 0x0a]);
    expect(compareShown(text('a\uFFFD\uFFFD\n', 2, 1, 2), disk).verdict).toBe('unsure');
  });

  test('"unchanged since you read it" shows no line', () => {
    expect(compareShown({ type: 'file_unchanged', file: { filePath: '/repo/a.txt' } }, ten)).toEqual({
      verdict: 'part',
      extent: 'part',
      from_line: 1,
      lines: 0,
      total_lines: 10,
    });
  });
});

describe('other shapes', () => {
  test.each([
    ['a host that answers with plain text', '1\n2\n'],
    ['an MCP reader', [{ type: 'text', text: '1\n2\n' }]],
    [
      'an MCP reader with a result object',
      {
        content: [
          { type: 'text', text: '1\n' },
          { type: 'text', text: '2\n' },
        ],
      },
    ],
    ['a response without line numbers', { type: 'text', file: { content: '1\n2\n' } }],
    ['a response without a type', { file: { content: '1\n2\n' } }],
    [
      'snake case',
      { type: 'text', file: { content: '1\n2\n', start_line: 1, num_lines: 3, total_lines: 3 } },
    ],
  ])('%s shows the whole file', (_name, response) => {
    expect(compareShown(response, Buffer.from('1\n2\n')).verdict).toBe('whole');
  });

  test.each([
    ['text of unknown extent that is not the whole file', '1\n'],
    ['text with line numbers of its own', '1: 1\n2: 2\n'],
    [
      'blocks that are not only text',
      [
        { type: 'text', text: '1\n2\n' },
        { type: 'image', data: '' },
      ],
    ],
    ['no blocks', []],
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an unknown type', { type: 'video', file: { content: '1\n2\n' } }],
    ['a type named like a property of every object', { type: 'constructor', file: {} }],
    ['content that is no text', { type: 'text', file: { content: 1, startLine: 1 } }],
    ['cells that are no list', { type: 'notebook', file: { cells: 'x' } }],
  ])('%s is unsure', (_name, response) => {
    expect(compareShown(response, Buffer.from('1\n2\n'))).toEqual({ verdict: 'unsure', extent: 'unknown' });
  });

  test('an image is known by its bytes, a resized one only by its size', () => {
    const disk = Buffer.from([1, 2, 3]);
    const image = (base64: string, originalSize: number): unknown => ({
      type: 'image',
      file: { base64, originalSize },
    });
    expect(compareShown(image('AQID', 3), disk).verdict).toBe('whole');
    expect(compareShown(image('AQIE', 3), disk)).toEqual({ verdict: 'unsure', extent: 'whole' });
    expect(compareShown(image('AQIE', 4), disk).verdict).toBe('different');
  });

  test('pages of a PDF are part of it', () => {
    expect(
      compareShown({ type: 'parts', file: { originalSize: 3, count: 1 } }, Buffer.from([1, 2, 3])),
    ).toEqual({ verdict: 'unsure', extent: 'part' });
    expect(
      compareShown({ type: 'parts', file: { originalSize: 9, count: 1 } }, Buffer.from([1, 2, 3])).verdict,
    ).toBe('different');
  });

  test('the shown text is found in every shape', () => {
    expect([text('a', 1, 1, 1), 'a', [{ type: 'text', text: 'a' }], { content: 'a' }].map(shownText)).toEqual(
      ['a', 'a', 'a', 'a'],
    );
    expect([undefined, [], { type: 'image', file: { base64: '' } }].map(shownText)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
