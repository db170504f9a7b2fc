/** File names and agent names that try to be something else: a line, a quote, a record, an escape sequence. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, scratch, Session, working, wrongs } from './driver.ts';

const NAMES: readonly [string, string][] = [
  ['a newline', 'a\nb.txt'],
  ['quotes', `a"b'c.txt`],
  ['what looks like the end of a record', `","crc":"00000000`],
  ['an escape sequence', 'a\u001b[2J\u001b]0;x\u0007.txt'],
  ['control characters of eight bits', 'a\u009b2Jb.txt'],
  ['a right-to-left override', 'a\u202etxt.exe'],
  ['a line separator', 'a\u2028b.txt'],
  ['a backslash', 'a\\b.txt'],
  ['blanks at its ends', ' a '],
  ['a dash in front', '-rf'],
  ['__proto__', '__proto__'],
  ['a colon', 'path:agent:x'],
  ['shell syntax', '$(touch pwned);`x`&|<>*?~{a,b}'],
];

// eslint-disable-next-line no-control-regex -- these are what must not reach a terminal
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/;

describe.each(NAMES)('a file whose name has %s', (_, name) => {
  it('is locked, written, denied to others and logged like any other, and no terminal is fooled', () => {
    const { at, agent } = oneAgent({ files: { [name]: 'one\n' } });
    const other = working(at);
    agent.lock(name);
    expect(agent.edit(name, 'one', 'two').post?.exit).toBe(0);
    expectEnvelope(other.write(name, 'x').pre);
    expect(wrongs(other.write(name, 'x').pre)).toContain('LOCKED_BY_OTHER');
    const records = at.log('write');
    expect(records.map(({ path }) => path)).toEqual([name]);
    const commands = [
      ['log'],
      ['status'],
      ['lock', 'status'],
      ['lock', 'status', at.path(name)],
      ['deadlock'],
      ['deadlock', '--dot'],
    ];
    for (const command of commands) {
      const { exit, stdout, stderr } = at.guard(...command);
      expect(exit, stderr).toBe(0);
      expect(stdout + stderr).not.toMatch(RAW);
    }
    expect(at.guard('lock', 'release', at.path(name), '--agent', 'x').stdout).not.toMatch(RAW);
    expect(at.guard('verify').exit).toBe(0);
  });
});

describe('an agent whose name is hostile', () => {
  it.each(['a\nb', `","crc":"`, '\u001b[2J', '../../x', 'a'.repeat(300)])('%j', (id) => {
    const at = scratch({ files: { 'a.txt': 'one\n' }, init: ['--preset', 'auto'] });
    const agent = new Session(at, { id, pid: null, agent: '\u001b[31m"x' });
    agent.prompt();
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'one', 'two').post?.exit).toBe(0);
    for (const command of [['status'], ['log'], ['lock', 'status', 'a.txt']]) {
      const { exit, stdout } = at.guard(...command);
      expect(exit).toBe(0);
      expect(stdout).not.toMatch(RAW);
    }
    expect(at.log('write')[0]).toMatchObject({ agent: `claude-${id}/+1b+5b31m+22x` });
    expect(at.guard('verify').exit).toBe(0);
  });
});
