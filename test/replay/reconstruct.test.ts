import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRecording } from '../../src/replay/recording.ts';
import { reconstruct } from '../../src/replay/reconstruct.ts';

const A = '/repo/a.txt';
const payload = (name: string, tool: string, id: string, input: object, response?: object): object => ({
  stdin: {
    hook_event_name: name,
    tool_name: tool,
    tool_use_id: id,
    tool_input: input,
    tool_response: response,
  },
});
const read = (id: string, content: string, range?: object): object[] => {
  const lines = content.split('\n').length;
  const file = { filePath: A, content, startLine: 1, numLines: lines, totalLines: lines, ...range };
  return [
    payload('PreToolUse', 'Read', id, { file_path: A }),
    payload('PostToolUse', 'Read', id, { file_path: A }, { type: 'text', file }),
  ];
};
const edit = (id: string, originalFile: string | null, old_string: string, new_string: string): object[] => {
  const response = { oldString: old_string, newString: new_string, originalFile };
  return ['PreToolUse', 'PostToolUse'].map((name) =>
    payload(
      name,
      'Edit',
      id,
      { file_path: A, old_string, new_string },
      name === 'PostToolUse' ? response : undefined,
    ),
  );
};
const write = (id: string, originalFile: string | null, content: string, extra?: object): object[] => {
  const response = { type: originalFile === null ? 'create' : 'update', content, originalFile, ...extra };
  return ['PreToolUse', 'PostToolUse'].map((name) =>
    payload(name, 'Write', id, { file_path: A, content }, name === 'PostToolUse' ? response : undefined),
  );
};
const bash = (id: string, files: object[]): object[] => [
  payload('PreToolUse', 'Bash', id, { command: 'x' }),
  payload('PostToolUse', 'Bash', id, { command: 'x' }, { stdout: '', bashEditDiff: { files } }),
];

/** The recording as text: `read 1`, `> a.txt "text"`, with `?` for steps that depend on a call being allowed. */
function story(...lines: object[]): { files: Readonly<Record<string, string>>; steps: string[] } {
  const { setup, steps } = reconstruct(
    parseRecording(lines.map((line) => JSON.stringify(line)).join('\n'), 'x'),
  );
  const words = steps.map((step) => {
    if (step.kind === 'event')
      return `${String(step.payload['hook_event_name']).replace('ToolUse', '')} ${String(step.payload['tool_use_id'])}`;
    if (step.kind !== 'file') return step.kind;
    return `${step.tool_use_id ?? 'somebody'}: ${JSON.stringify(step.change)}`;
  });
  return { files: setup.files, steps: words };
}

test('a file that was read whole was there from the start', () => {
  expect(story(...read('r', 'one\n')).files).toEqual({ [A]: 'one\n' });
});

test('a file of which a part was read is not made up', () => {
  expect(story(...read('r', 'one', { totalLines: 9 })).files).toEqual({});
  expect(story(...read('r', 'one', { startLine: 5 })).files).toEqual({});
});

test('what a tool wrote is written just before its PostToolUse, if the call was let through', () => {
  expect(story(...read('r', 'one\n'), ...edit('e', 'one\n', 'one', 'ONE'))).toEqual({
    files: { [A]: 'one\n' },
    steps: ['Pre r', 'Post r', 'Pre e', 'e: {"text":"ONE\\n"}', 'Post e'],
  });
});

test('a text that nobody in the recording left there was left by somebody else, before the call began', () => {
  expect(story(...read('r', 'one\n'), ...edit('e', 'zero\none\n', 'one', 'ONE')).steps).toEqual([
    ...['Pre r', 'Post r', 'somebody: {"text":"zero\\none\\n"}', 'Pre e'],
    ...['e: {"text":"zero\\nONE\\n"}', 'Post e'],
  ]);
});

test('a file that was read again unchanged stays as it is', () => {
  expect(
    story(...read('r', 'one\n'), ...edit('e', 'one\n', 'one', 'ONE'), ...read('s', 'ONE\n')).steps.filter(
      (step) => step.startsWith('somebody'),
    ),
  ).toEqual([]);
});

test('a file that a Write created was not there', () => {
  expect(story(...write('w', null, 'new\n'))).toEqual({
    files: {},
    steps: ['Pre w', 'w: {"text":"new\\n"}', 'Post w'],
  });
});

test('a file that was there, and that a later Write created, had been deleted', () => {
  expect(story(...read('r', 'one\n'), ...write('w', null, 'new\n')).steps).toEqual([
    'Pre r',
    'Post r',
    'somebody: {"delete":true}',
    'Pre w',
    'w: {"text":"new\\n"}',
    'Post w',
  ]);
});

test('a write that is held for review changes nothing', () => {
  expect(story(...write('w', 'old\n', 'new\n', { staged: true })).steps).toEqual(['Pre w', 'Post w']);
});

test('an explicit change is kept, and not done twice', () => {
  const change = { file: { path: A, content: 'zero\none\n' } };
  expect(story(...read('r', 'one\n'), change, ...edit('e', 'zero\none\n', 'one', 'ONE')).steps).toEqual([
    ...['Pre r', 'Post r', 'somebody: {"content":"zero\\none\\n"}', 'Pre e'],
    ...['e: {"text":"zero\\nONE\\n"}', 'Post e'],
  ]);
});

test('after bytes that are not followed nothing is concluded', () => {
  const change = { file: { path: A, base64: 'AAAA' } };
  expect(
    story(...read('r', 'one\n'), change, ...edit('e', 'zero\none\n', 'one', 'ONE')).steps.filter((step) =>
      step.startsWith('somebody'),
    ),
  ).toEqual(['somebody: {"base64":"AAAA"}']);
});

test('files given by the setup win over what is concluded', () => {
  expect(story({ setup: { files: { [A]: 'mine\n' } } }, ...read('r', 'one\n'))).toEqual({
    files: { [A]: 'mine\n' },
    steps: ['somebody: {"text":"one\\n"}', 'Pre r', 'Post r'],
  });
});

describe('files that a command changed', () => {
  const hunk = (lines: string[]): object => ({ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines });

  test('are patched, made and deleted', () => {
    const files = [
      { filePath: A, hunks: [hunk(['-one', '+ONE'])] },
      { filePath: '/repo/b.txt', hunks: [hunk(['+new'])], created: true },
      { filePath: '/repo/c.txt', hunks: [hunk(['-gone'])], deleted: true },
    ];
    expect(story(...read('r', 'one\n'), ...bash('b', files)).steps.slice(3)).toEqual([
      'b: {"text":"ONE\\n"}',
      'b: {"text":"new\\n"}',
      'b: {"delete":true}',
      'Post b',
    ]);
  });

  test('and whose text nobody knows are left alone', () => {
    expect(story(...bash('b', [{ filePath: A, hunks: [hunk(['-one', '+ONE'])] }])).steps).toEqual([
      'Pre b',
      'Post b',
    ]);
  });
});

test('a tool that is not known tells nothing, and no payload makes it fail', () => {
  const odd = [
    {},
    { tool_response: 'x' },
    { tool_response: { file: 7 } },
    { tool_name: 'constructor', tool_response: {} },
  ];
  const lines = odd.map((fields) => ({
    stdin: { hook_event_name: 'PostToolUse', tool_name: 'Read', ...fields },
  }));
  expect(story(...lines).files).toEqual({});
});

test('the recorded session with an outside change gets that change', () => {
  const text = readFileSync(join(import.meta.dirname, 'sessions/recorded/ext_change_edit.jsonl'), 'utf8');
  const { steps, setup } = reconstruct(parseRecording(text, 'x'));
  expect(setup.files).toEqual({ [A]: 'one\ntwo\nthree\n' });
  expect(steps.flatMap((step) => (step.kind === 'file' ? [step.change] : []))).toEqual([
    { text: 'zero\none\ntwo\nthree\n' },
    { text: 'zero\nONE\ntwo\nthree\n' },
  ]);
});
