import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, normaliseEnds } from '../../../src/claude/text/encoding.ts';
import { intendedText, verifyWrite } from '../../../src/claude/text/expected.ts';
import { anyFile, byteChange, edit, RUNS, withOneByteChanged, type File } from './arbitrary.ts';
import * as client from './client-model.ts';
import { postToolUse, recordedCalls } from './recorded.ts';

const writers = recordedCalls().filter(({ tool }) => tool !== 'Read');
const named = writers.map((call) => [call.name, call] as const);
/** Changes by others, applied to every recorded file. */
const changes = [
  { at: 0, to: 1 },
  { at: 1, to: 32 },
  { at: 4, to: 4 },
  { at: 99, to: 128 },
];

describe('what the real client wrote is recognised', () => {
  test.each(named)('%s', (_name, call) => {
    expect(verifyWrite(call, call.after).written).toBe('as_expected');
  });

  test.each(named)('%s, and not after a foreign change of one byte', (_name, call) => {
    const foreign = changes.map((change) => withOneByteChanged(call.after ?? Buffer.alloc(0), change));
    const written = foreign
      .filter((bytes) => bytes !== undefined)
      .map((bytes) => verifyWrite(call, bytes).written);
    expect(written.filter((verdict) => verdict !== 'differs')).toEqual([]);
  });

  test.each(named)('%s, and not after somebody added to it', (_name, call) => {
    const longer = Buffer.concat([call.after ?? Buffer.alloc(0), Buffer.from('xy')]);
    expect(verifyWrite(call, longer).written).toBe('differs');
  });

  test.each(named)('%s was meant to leave the text that it left', (_name, call) => {
    const left = decodeText(call.after ?? Buffer.alloc(0));
    const storable = Buffer.from(intendedText(call) ?? '', 'utf8').toString('utf8');
    expect(storable).toBe(left === null ? left : normaliseEnds(left));
  });

  test('of every tool', () => {
    expect([...new Set(writers.map(({ tool }) => tool))].sort()).toEqual(['Edit', 'NotebookEdit', 'Write']);
  });
});

describe('recorded payloads of all versions', () => {
  const payloads = ['Write', 'Edit', 'NotebookEdit'].flatMap(postToolUse);
  const callOf = ({ tool_name, tool_input, tool_response }: (typeof payloads)[number]) => ({
    tool: tool_name,
    input: tool_input,
    response: tool_response,
  });

  test.each(payloads.map((payload) => [payload.name, payload] as const))(
    '%s says what it leaves',
    (_name, payload) => {
      const left = Buffer.from(intendedText(callOf(payload)) ?? '');
      expect(left.length).toBeGreaterThan(0);
      expect(verifyWrite(callOf(payload), left).written).toBe('as_expected');
      expect(verifyWrite(callOf(payload), Buffer.concat([left, Buffer.from('\n')])).written).toBe('differs');
      expect(verifyWrite(callOf(payload), null).written).toBe('differs');
    },
  );

  test('there are some of each version', () => {
    for (const start of ['PostToolUse', 'old-2.0.77', 'old-2.1.50']) {
      expect(payloads.filter(({ name }) => name.startsWith(start)).length).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('a response that does not say enough', () => {
  const disk = Buffer.from('a\n');
  const edited = { old_string: 'b', new_string: 'a' };
  test.each([
    [
      'a held Write',
      'Write',
      { content: 'a\n' },
      { type: 'update', content: 'a\n', originalFile: 'b\n', staged: true },
    ],
    ['an Edit without the old file', 'Edit', edited, { oldString: 'b', newString: 'a' }],
    [
      'an Edit with too large an old file',
      'Edit',
      edited,
      { oldString: 'b', newString: 'a', originalFile: null },
    ],
    ['an Edit whose old text is not in the old file', 'Edit', edited, { originalFile: 'c\n' }],
    ['a host that says nothing', 'replace_string_in_file', { oldString: 'b', newString: 'a' }, 'done'],
    ['a NotebookEdit that failed', 'NotebookEdit', {}, { updated_file: 'a\n', error: 'no such cell' }],
    ['an unknown tool', 'mcp__fs__write', { content: 'a\n' }, {}],
    ['a tool named like a property of every object', 'toString', { content: 'a\n' }, {}],
    ['no response and no content', 'Write', {}, null],
  ])('%s is unknown', (_name, tool, input, response) => {
    expect(verifyWrite({ tool, input, response }, disk).written).toBe('unknown');
    expect(intendedText({ tool, input, response })).toBeNull();
  });

  test('null is "created" where the response says so, else "too large to tell"', () => {
    const original = (type: string): unknown =>
      verifyWrite({ tool: 'Write', input: {}, response: { type, content: 'a\n', originalFile: null } }, disk)
        .original.text;
    expect([original('create'), original('update')]).toEqual([null, undefined]);
  });

  test('bytes that are no text are not what a tool wrote, even where they decode to it', () => {
    const response = { type: 'update', content: 'caf\uFFFD\n', originalFile: 'x' };
    const call = { tool: 'Write', input: {}, response };
    expect(verifyWrite(call, Buffer.from('caf\xe9\n', 'latin1')).written).toBe('differs');
    expect(verifyWrite(call, Buffer.from('caf\uFFFD\n')).written).toBe('as_expected');
  });

  test('a held write says so', () => {
    const response = { type: 'update', content: 'a\n', staged: true };
    expect(verifyWrite({ tool: 'Write', input: {}, response }, disk)).toMatchObject({
      written: 'unknown',
      staged: true,
    });
  });

  test('a Write is judged by its input where the response has no content', () => {
    expect(
      verifyWrite({ tool: 'create_file', input: { filePath: '/a', content: 'a\n' }, response: 'ok' }, disk)
        .written,
    ).toBe('as_expected');
    expect(verifyWrite({ tool: 'Write', input: { content: 'b\n' }, response: {} }, disk).written).toBe(
      'differs',
    );
  });

  test('a person who changed the content before it was written has the last word', () => {
    const response = { type: 'update', content: 'a\n', originalFile: 'x', userModified: true };
    expect(verifyWrite({ tool: 'Write', input: { content: 'b\n' }, response }, disk).written).toBe(
      'as_expected',
    );
  });
});

describe('an Edit that a plain replacement does not explain', () => {
  test('quotes bent to those of the file are taken from the patch, and only from it', () => {
    const response = {
      oldString: 'it’s',
      newString: "that's",
      originalFile: 'it’s\n',
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-it’s', '+that’s'] }],
    };
    const call = { tool: 'Edit', input: { old_string: "it's", new_string: "that's" }, response };
    expect(verifyWrite(call, Buffer.from('that’s\n')).written).toBe('as_expected');
    expect(verifyWrite(call, Buffer.from('that‘s\n')).written).toBe('differs');
    expect(intendedText(call)).toBe('that’s\n');
    const patchless = { ...call, response: { ...response, structuredPatch: [] } };
    expect(verifyWrite(patchless, Buffer.from('that’s\n')).written).toBe('differs');
  });

  test('several edits of one MultiEdit follow each other', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'b', new_string: 'c', replace_all: true },
    ];
    const call = { tool: 'MultiEdit', input: { edits }, response: { originalFileContents: 'a b\n', edits } };
    expect(verifyWrite(call, Buffer.from('c c\n')).written).toBe('as_expected');
    expect(verifyWrite(call, Buffer.from('b c\n')).written).toBe('differs');
  });

  test('an older version that leaves the newline behind a deleted line is believed too', () => {
    const response = { oldString: 'b', newString: '', originalFile: 'a\nb\nc\n' };
    const call = { tool: 'Edit', input: {}, response };
    expect(verifyWrite(call, Buffer.from('a\nc\n')).written).toBe('as_expected');
    expect(verifyWrite(call, Buffer.from('a\n\nc\n')).written).toBe('as_expected');
    expect(verifyWrite(call, Buffer.from('a\n\n\nc\n')).written).toBe('differs');
  });

  test('an older version that keeps the mark out of its texts still left what it said', () => {
    const response = { oldString: 'a', newString: 'b', originalFile: 'a\n' };
    expect(verifyWrite({ tool: 'Edit', input: {}, response }, Buffer.from('\uFEFFb\n')).written).toBe(
      'as_expected',
    );
    const created = { type: 'create', content: 'b\n', originalFile: null };
    expect(
      verifyWrite({ tool: 'Write', input: {}, response: created }, Buffer.from('\uFEFFb\n')).written,
    ).toBe('differs');
    expect(verifyWrite({ tool: 'Write', input: {}, response: created }, Buffer.from('b\r\n')).written).toBe(
      'differs',
    );
  });
});

describe('any file', () => {
  const call = (tool: string, input: unknown, { response }: client.WriteResult) => ({
    tool,
    input,
    response,
  });
  const contents = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('', 'a\r\nb\n', '\uFEFFa', '\uD800'),
  );

  function editOf(file: File, asked: { from: [number, number]; to: string; all: boolean }) {
    const text = normaliseEnds(
      file.bytes[0] === 0xff ? file.bytes.toString('utf16le') : file.bytes.toString('utf8'),
    );
    // No agent sees the byte order mark, so none edits it.
    const first = text.startsWith('\uFEFF') ? 1 : 0;
    const start = first + (asked.from[0] % Math.max(1, text.length - first));
    const from = text.slice(start, start + asked.from[1]);
    const input = { old_string: from, new_string: asked.to, replace_all: asked.all };
    const isWhole = !/\p{Cs}/u.test(from);
    return from === '' || !isWhole
      ? undefined
      : { input, result: client.edit(file.bytes, from, asked.to, asked.all) };
  }

  test('edited is as expected, and not after a foreign change of one byte', () => {
    fc.assert(
      fc.property(anyFile, edit, byteChange, (file, asked, change) => {
        const edited = editOf(file, asked);
        if (!edited) return;
        const made = call('Edit', edited.input, edited.result);
        expect(verifyWrite(made, edited.result.after).written).toBe('as_expected');
        const foreign = withOneByteChanged(edited.result.after, change);
        if (foreign) expect(verifyWrite(made, foreign).written).toBe('differs');
      }),
      { numRuns: RUNS.numRuns * 3 },
    );
  });

  test('written is as expected, and not after a foreign change of one byte', () => {
    fc.assert(
      fc.property(fc.option(anyFile), contents, byteChange, (file, content, change) => {
        const written = client.write(file && file.bytes, content);
        const made = call('Write', { content }, written);
        expect(verifyWrite(made, written.after).written).toBe('as_expected');
        const foreign = withOneByteChanged(written.after, change);
        if (foreign) expect(verifyWrite(made, foreign).written).toBe('differs');
      }),
      { numRuns: RUNS.numRuns * 3 },
    );
  });

  test('a line that somebody added or took away is noticed', () => {
    fc.assert(
      fc.property(anyFile, edit, fc.nat(), (file, asked, at) => {
        const edited = editOf(file, asked);
        if (!edited) return;
        const { after } = edited.result;
        const cut = at % (after.length + 1);
        const longer = Buffer.concat([after.subarray(0, cut), Buffer.from('new\n\n'), after.subarray(cut)]);
        expect(verifyWrite(call('Edit', edited.input, edited.result), longer).written).toBe('differs');
      }),
      RUNS,
    );
  });
});
