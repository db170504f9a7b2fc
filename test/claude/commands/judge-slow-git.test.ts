/** git answers late, as on a busy machine: harmless lines still pass, and harmful ones are still denied. */
import { expect, it } from 'vitest';
import { oneAgent, type Session, working, wrongs } from '../driver.ts';
import { begin, wrongsOf } from './shell.ts';
import { slowGit } from './slow-git.ts';

const FILES = {
  '.gitignore': 'build/\n',
  'build/old.txt': 'one\n',
  'src/a.txt': 'one\n',
  'src/b.txt': 'one\n',
};
/** Well above guard's usual 300 ms, well below its deadline. */
const LATE_MS = 900;
const SLOW = { timeout: 60_000 };

function two(): { agent: Session; other: Session } {
  const { at, agent } = oneAgent({ files: FILES, config: { deadline: '20s' } });
  at.git('add', '-A');
  at.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'all');
  return { agent, other: working(at) };
}

it('a write on what git ignores needs no lock', SLOW, () => {
  const { agent } = two();
  slowGit(agent.scratch, LATE_MS);
  expect(wrongs(agent.write('build/new.txt', 'x').pre)).toEqual([]);
  expect(wrongs(agent.write('src/new.txt', 'x').pre)).toEqual(['NOT_LOCKED']);
});

it('an act of git that does not touch what another one holds', SLOW, () => {
  const { agent, other } = two();
  other.lock('src/a.txt');
  agent.scratch.put('src/b.txt', 'mine\n');
  slowGit(agent.scratch, LATE_MS);
  expect(wrongsOf(agent, 'git stash -u')).toEqual([]);
});

it('one that takes what another agent has not committed, although nobody holds it', SLOW, () => {
  const { agent, other } = two();
  other.lock('src/a.txt');
  other.read('src/a.txt');
  other.edit('src/a.txt', 'one', 'two');
  agent.scratch.guard('lock', 'release', 'src/a.txt', '--agent', other.name);
  slowGit(agent.scratch, LATE_MS);
  expect(wrongsOf(agent, 'git stash -u')).toEqual(['WORK_OF_OTHERS']);
});

it('nobody waits for it where nothing is at stake', SLOW, () => {
  const { agent } = two();
  slowGit(agent.scratch, 6_000);
  const { pre } = begin(agent, 'git stash -u');
  expect(pre.exit).toBe(0);
  expect(pre.context).toContain('only locks were checked');
  expect(pre.took_ms).toBeLessThan(5_000);
});
