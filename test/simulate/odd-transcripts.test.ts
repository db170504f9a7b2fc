/** Transcripts that are broken, truncated or unrelated. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { transcriptsIn } from '../../src/simulate/transcript/find.ts';
import { merged } from '../../src/simulate/transcript/merge.ts';
import { ONE, reported, Told, twoSessions } from './told.ts';

describe('guard simulate: odd transcripts', () => {
  it('a line cut off at the end, a line that is no JSON, and lines of other kinds', () => {
    const { day, a } = twoSessions();
    a.raw('{"type":"summary","summary":"x","leafUuid":"y"}\n').raw('no json\n').raw('[1]\n').raw('\n');
    a.edit('a.txt', ['one', 'ONE'], ONE).raw('{"type":"user","uuid":"1","mess');
    expect(reported(day.dir)).toMatchObject({
      unreadable: { lines: 2, cut_off: 1, files: 0 },
      calls: { writes: 1 },
    });
  });

  it('fields of other types than the client writes are passed over', () => {
    const { day, a } = twoSessions();
    a.line('assistant', { content: [null, 4, { type: 'tool_use', id: 5, name: {}, input: 'x' }] })
      .line('user', { content: [{ type: 'tool_result', tool_use_id: null }] })
      .raw('{"type":"user","timestamp":"never"}\n')
      .call('Write', { file_path: ['x'], content: 4 }, 'text')
      .call('Edit', {}, null)
      .call('Bash', { command: 7 }, [])
      .call('Read', { file_path: '' }, { file: 3 });
    expect(reported(day.dir).denied.calls).toBe(0);
  });

  it('a transcript that nobody may read is counted, and the others are judged', () => {
    const { a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    const [transcript] = transcriptsIn({
      ...{ paths: [a.file], roots: [], env: {}, since_ms: 0 },
      unreadable: { lines: 0, cut: 0, files: 0 },
    });
    fs.rmSync(b.file);
    fs.mkdirSync(b.file);
    const unreadable = { lines: 0, cut: 0, files: 0 };
    const transcripts = [
      { file: b.file, bytes: 10, at_ms: 0, uuid: '' },
      ...(transcript ? [transcript] : []),
    ];
    const told = [...merged({ transcripts, unreadable, onRead: () => undefined })];
    expect(told.map(({ type }) => type)).toContain('end');
    expect(unreadable).toEqual({ lines: 0, cut: 0, files: 1 });
  });

  it('a compaction is no prompt, and what comes after it is the same turn', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    a.prompt('This session is being continued.', { isCompactSummary: true });
    b.read('a.txt', 'ONE\ntwo\nthree\n').edit('a.txt', ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    expect(reported(day.dir)).toMatchObject({ calls: { prompts: 2 }, denied: { calls: 1 } });
  });

  it('nothing of before --since', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['one', 'ONE'], ONE);
    b.edit('a.txt', ['two', 'TWO'], 'ONE\ntwo\nthree\n');
    expect(reported(day.dir, { since_ms: day.now_ms }).calls.writes).toBe(0);
  });

  it('two sessions that took turns in one hour did not run side by side', () => {
    const { day, a, b } = twoSessions();
    const c = new Told(day, 'cccc');
    a.rest();
    b.rest();
    c.prompt().rest();
    expect(reported(day.dir).side_by_side).toEqual({ pairs: 1, most_at_once: 2 });
  });
});
