/** Work lost in past sessions, and losses that a transcript cannot show. */
import { describe, expect, it } from 'vitest';
import { ONE, reported, Told, twoSessions } from './told.ts';

describe('guard simulate: what was lost', () => {
  it('a whole file written over lines that another session had added unseen', () => {
    const { day, a, b } = twoSessions();
    b.read('a.txt', ONE);
    a.edit('a.txt', ['three\n', 'three\nfour\nfive\n'], ONE).rest().pass(5_000);
    b.write('a.txt', 'zero\none\ntwo\nthree\n', `${ONE}four\nfive\n`);
    expect(reported(day.dir, { show: true }).lost).toMatchObject({
      proven: 1,
      lines: 2,
      would_be_denied: 1,
      list: [{ how: 'overwritten', by: 'claude-bbbb', made_by: 'claude-aaaa', text: ['four', 'five'] }],
      unprovable: {},
    });
    expect(JSON.stringify(reported(day.dir))).not.toContain('five');
  });

  it('an edit of the text that was there before another one, which had come in between', () => {
    const { day, a, b } = twoSessions();
    const [input_a, input_b] = [
      { file_path: '/repo/a.txt', old_string: 'one', new_string: 'ONE' },
      { file_path: '/repo/a.txt', old_string: 'two', new_string: 'TWO' },
    ];
    a.read('a.txt', ONE);
    b.read('a.txt', ONE);
    const [call_a, call_b] = [a.begin('Edit', input_a), b.begin('Edit', input_b)];
    const resultOf = ({ file_path: filePath, ...strings }: typeof input_a) => ({
      ...{ filePath, oldString: strings.old_string, newString: strings.new_string },
      ...{ originalFile: ONE, structuredPatch: [] },
    });
    a.end(call_a, resultOf(input_a));
    b.end(call_b, resultOf(input_b));
    expect(reported(day.dir, { show: true }).lost).toMatchObject({
      proven: 1,
      would_be_denied: 1,
      list: [{ how: 'raced', made_by: 'claude-aaaa', by: 'claude-bbbb', text: ['ONE'] }],
    });
  });

  it('nothing, where the lines had been read before they went', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['three\n', 'three\nfour\n'], ONE);
    b.read('a.txt', `${ONE}four\n`).write('a.txt', ONE, `${ONE}four\n`);
    expect(reported(day.dir).lost).toMatchObject({ proven: 0, unprovable: {} });
  });

  it('nothing, where an edit takes away lines that it names', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['three\n', 'three\nfour\n'], ONE);
    b.edit('a.txt', ['four\n', ''], `${ONE}four\n`);
    expect(reported(day.dir).lost).toMatchObject({ proven: 0, unprovable: {} });
  });

  it('nothing for certain of what only subagents wrote, whose results have no texts', () => {
    const { day } = twoSessions();
    const [first, second] = ['s1', 's2'].map((agent) => new Told(day, 'aaaa', { agent }));
    second?.prompt().read('a.txt', ONE);
    first?.prompt().read('a.txt', ONE).edit('a.txt', ['three\n', 'three\nfour\n'], ONE);
    second?.write('a.txt', 'two\n', `${ONE}four\n`);
    expect(reported(day.dir).lost).toMatchObject({ proven: 0, unprovable: { not_shown: 1 } });
  });

  it('what cannot be told is named, and not counted', () => {
    const { day, a, b } = twoSessions();
    a.edit('a.txt', ['three\n', 'three\nfour\n'], ONE);
    b.bash('echo new > /repo/a.txt');
    const c = new Told(day, 'cccc').prompt();
    a.edit('b.txt', ['three\n', 'three\nfour\n'], ONE);
    c.call(
      'Write',
      { file_path: '/repo/b.txt', content: 'x\n' },
      { type: 'update', filePath: '/repo/b.txt' },
    );
    expect(reported(day.dir).lost).toMatchObject({ proven: 0, unprovable: { by_command: 1, not_shown: 1 } });
  });
});
