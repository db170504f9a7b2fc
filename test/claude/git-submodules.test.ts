/** Commands of git that reach into the checkout of a submodule, in which another agent holds a file. */
import { describe, expect, it } from 'vitest';
import { scratch, Session, wrongs } from './driver.ts';
import type { Scratch } from './driver.ts';
import { preHere } from './driver/in-process.ts';

function committed(files: Readonly<Record<string, string>>, init?: null): Scratch {
  const at = scratch({ files, ...(init === null ? { init } : {}) });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', '-A');
  at.git('commit', '-qm', '1');
  return at;
}

function played(): { me: Session; holder: Session } {
  const library = committed({ 's.txt': 'one\ntwo\n' }, null);
  const at = committed({ 'a.txt': 'a\n' });
  at.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.root, 'sub');
  at.git('commit', '-qam', '2');
  const [me, holder] = [new Session(at), new Session(at)];
  me.prompt();
  holder.prompt();
  return { me, holder };
}

const said = (agent: Session, line: string): readonly string[] =>
  wrongs(preHere(agent, agent.call('Bash', { command: line })));

const REACHING = [
  'git submodule update --force',
  'git submodule update -f sub',
  'git submodule foreach git reset --hard',
  "git submodule foreach 'git checkout -q . && git clean -fd'",
  'git submodule deinit -f sub',
  'git -C sub reset --hard',
];
const HARMLESS = [
  'git submodule update',
  'git submodule status',
  'git submodule foreach git status',
  "git submodule foreach 'git log -1 --format=%h'",
  'git reset --hard',
  'git stash',
];

describe('a file in a submodule', () => {
  it('that another agent holds is not reset by what reaches into it', () => {
    const { me, holder } = played();
    holder.lock('sub/s.txt');
    holder.read('sub/s.txt');
    expect(holder.edit('sub/s.txt', 'two', 'theirs').post?.exit).toBe(0);
    for (const line of REACHING)
      expect([line, said(me, line)]).toEqual([line, expect.arrayContaining(['LOCKED_BY_OTHER'])]);
    for (const line of HARMLESS) expect([line, said(me, line)]).toEqual([line, []]);
  });

  it('that nobody holds is no reason to refuse anything', () => {
    const { me } = played();
    for (const line of [...REACHING, ...HARMLESS]) expect([line, said(me, line)]).toEqual([line, []]);
  });
});
