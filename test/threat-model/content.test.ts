/** Writes over content that the agent has not seen, whatever the file is called. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Answer, type Scratch, type Session, type ToolCall, working, wrongs } from '../claude/driver.ts';
import { preHere } from '../claude/driver/in-process.ts';
import { installed } from './installed.ts';

const config = { mcp: { writers: [{ tool: 'mcp__own__put', paths: ['path'] }] } };
const files = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'n.ipynb': '{"cells":[]}\n' };

const callsOf = (agent: Session, at: Scratch, file: string): readonly ToolCall[] => {
  const file_path = at.path(file);
  return [
    agent.call('Edit', { file_path, old_string: 'e', new_string: 'E', replace_all: true }),
    agent.call('Write', { file_path, content: 'x' }),
    agent.call('NotebookEdit', { notebook_path: file_path, new_source: 'x' }),
    agent.call('mcp__own__put', { path: file_path }),
    agent.call('mcp__filesystem__write_file', { path: file_path, content: 'x' }),
  ];
};

const writesOf = (agent: Session, at: Scratch, file: string): readonly Answer[] =>
  callsOf(agent, at, file).map((call) => agent.pre(call));

describe('an agent writes over content it has not seen', () => {
  it('that changed after it read the file (STALE_FILE), or after it joined (UNREAD_FILE), with every tool', () => {
    const at = installed({ files, config });
    const agent = working(at);
    agent.lock('a.txt', 'b.txt', 'n.ipynb');
    agent.read('a.txt');
    for (const file of Object.keys(files)) at.put(file, `${at.read(file)}theirs\n`);
    const stale = writesOf(agent, at, 'a.txt');
    expect(stale.map(wrongs)).toEqual(stale.map(() => ['STALE_FILE']));
    for (const file of ['b.txt', 'n.ipynb']) {
      const unread = writesOf(agent, at, file);
      expect(unread.map(wrongs)).toEqual(unread.map(() => ['UNREAD_FILE']));
    }
    expect(at.read('a.txt')).toBe('one\ntheirs\n');
    agent.read('a.txt');
    const known = writesOf(agent, at, 'a.txt');
    expect(known.map(wrongs)).toEqual(known.map(() => []));
  });
});

describe('it spells the path differently', () => {
  function held() {
    const at = installed({ files: { 'src/a.txt': 'one\n', 'é.txt': 'one\n' } });
    at.git('add', '-A');
    at.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'Start');
    const holder = working(at);
    holder.lock('src/a.txt', 'é.txt');
    return { at, holder, id: working(at).id };
  }

  it('with dots, links, from another directory, in a nested repository, from a worktree', () => {
    const { at, holder } = held();
    fs.symlinkSync('src/a.txt', at.path('link.txt'));
    fs.symlinkSync('src', at.path('linked'));
    at.git('worktree', 'add', '-q', `${at.root}-tree`);
    fs.mkdirSync(at.path('src/deep'));
    const spellings: readonly [cwd: string, file_path: string][] = [
      [at.root, at.path('src/a.txt')],
      [at.root, `${at.root}/src/../src/./a.txt`],
      [at.root, 'src//a.txt'],
      [at.path('src'), 'a.txt'],
      [at.path('src/deep'), '../a.txt'],
      [at.root, at.path('link.txt')],
      [at.root, at.path('linked/a.txt')],
      [`${at.root}-tree`, at.path('src/a.txt')],
      [`${at.root}-tree`, '../repo/src/a.txt'],
    ];
    const answersOf = (): readonly unknown[] =>
      spellings.map(([cwd, file_path]) => {
        const agent = working(at, { cwd });
        return agent.pre(agent.call('Write', { file_path, content: 'x' })).denial?.details['holder'];
      });
    expect(answersOf()).toEqual(spellings.map(() => holder.name));
    at.git('init', '-q', 'src');
    const nested = working(at, { cwd: at.path('src') });
    expect(wrongs(nested.pre(nested.call('Write', { file_path: 'a.txt', content: 'x' })))[0]).toBe(
      'LOCKED_BY_OTHER',
    );
  });

  it('in another case or Unicode form, where the file system takes these for the same', () => {
    const { at, holder } = held();
    const other = working(at);
    const answersOf = () =>
      ['src/A.TXT', 'SRC/a.txt', 'e\u0301.txt'].map((file) => wrongs(other.write(file, 'x').pre)[0]);
    const install = `${at.state}/install.json`;
    const measured = JSON.parse(fs.readFileSync(install, 'utf8')) as { case_fold: boolean };
    if (!measured.case_fold) expect(answersOf()[0]).toBe('NOT_LOCKED');
    fs.writeFileSync(install, JSON.stringify({ ...measured, case_fold: true, unicode_fold: true }));
    expect(answersOf()).toEqual(['LOCKED_BY_OTHER', 'LOCKED_BY_OTHER', 'LOCKED_BY_OTHER']);
    expect(wrongs(holder.write('src/A.TXT', 'x').pre)).toEqual([]);
  });
});

describe('it names the file through a process', () => {
  it('as /proc/self, /dev/fd or a link to one: denied by every tool that writes', () => {
    const at = installed({ files, config });
    fs.symlinkSync('/proc/self/cwd', at.path('here'));
    const agent = working(at);
    agent.lock('a.txt');
    agent.read('a.txt');
    for (const file of ['/proc/self/cwd/a.txt', '/proc/self/root/tmp/x', '/dev/fd/3', 'here/a.txt'])
      for (const call of callsOf(agent, at, file))
        expect(preHere(agent, call).denial, `${call.tool} ${file}`).toMatchObject({
          details: { code: 'GUARD_ERR_PATH' },
        });
    expect(wrongs(agent.write('a.txt', 'x').pre)).toEqual([]);
  });
});
