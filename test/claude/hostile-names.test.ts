/** File names and agent names that imitate something else: a line, a quote, a record, an escape sequence. */
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

describe('files whose names have something else in them', () => {
  const files = Object.fromEntries(NAMES.map(([, name]) => [name, 'one\n']));

  it('are locked, written, denied to others and logged like any other', () => {
    const { at, agent } = oneAgent({ files });
    const other = working(at);
    agent.lock(...Object.keys(files));
    for (const [what, name] of NAMES) {
      expect(agent.edit(name, 'one', 'two').post?.exit, what).toBe(0);
      const denied = other.write(name, 'x').pre;
      expect(expectEnvelope(denied).details.path, what).toBe(at.path(name));
      expect(wrongs(denied), what).toContain('LOCKED_BY_OTHER');
    }
    expect(at.log('write').map(({ path }) => path)).toEqual(NAMES.map(([, name]) => name));
    expect(at.guard('verify').exit).toBe(0);
  });

  it('reach no terminal as they are', () => {
    const { at, agent } = oneAgent({ files });
    const paths = Object.keys(files).map((name) => at.path(name));
    agent.lock(...paths);
    working(at).write('a\nb.txt', 'x');
    const commands = [
      ['log'],
      ['status'],
      ['lock', 'status'],
      ['lock', 'status', ...paths],
      ['lock', 'try', ...paths, '--agent', 'x'],
      ['lock', 'release', ...paths, '--agent', 'x'],
      ['deadlock'],
      ['deadlock', '--dot'],
      ['deadlock', '--mermaid'],
    ];
    for (const command of commands) {
      const { stdout, stderr } = at.guard(...command);
      expect(stdout.length, command.join(' ')).toBeGreaterThan(0);
      expect(stdout + stderr).not.toMatch(RAW);
    }
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
