import { describe, expect, test } from 'vitest';
import * as model from './client-model.ts';
import { recordedCalls } from './recorded.ts';

const calls = recordedCalls();
const textOf = (fields: unknown, name: string): string => String((fields as Record<string, unknown>)[name]);

describe('the model does what the real client was recorded doing', () => {
  const reads = calls.filter(({ tool, response }) => tool === 'Read' && response['type'] === 'text');
  test.each(reads.map((call) => [call.name, call] as const))('%s', (_name, { before, input, response }) => {
    const { file } = model.read(before ?? Buffer.alloc(0), input as { offset?: number; limit?: number });
    expect(response['file']).toMatchObject(file);
  });

  const writes = calls.filter(({ tool }) => tool === 'Write');
  test.each(writes.map((call) => [call.name, call] as const))(
    '%s',
    (_name, { before, after, input, response }) => {
      const written = model.write(before, textOf(input, 'content'));
      expect(written.after).toEqual(after);
      expect(response).toMatchObject(written.response);
    },
  );

  // Curly quotes and newly created files are not modelled.
  const isPlain = (response: Readonly<Record<string, unknown>>): boolean =>
    !/^$|[‘’“”]/.test(textOf(response, 'oldString'));
  const edits = calls.filter(({ tool, response }) => tool === 'Edit' && isPlain(response));
  test.each(edits.map((call) => [call.name, call] as const))('%s', (_name, { before, after, response }) => {
    const { oldString, newString, replaceAll } = response;
    const edited = model.edit(
      before ?? Buffer.alloc(0),
      String(oldString),
      String(newString),
      replaceAll === true,
    );
    expect(edited.after).toEqual(after);
    expect(response).toMatchObject(edited.response);
  });

  test('there is something to hold it against', () => {
    expect([reads.length, writes.length, edits.length].every((count) => count > 10)).toBe(true);
  });
});
