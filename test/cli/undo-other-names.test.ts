/** `guard undo` of a name that is no longer a file: a link or a directory replaced it, or it was moved. */
import fs from 'node:fs';
import { expect, test } from 'vitest';
import { oneAgent, type Scratch } from '../claude/driver.ts';

function written(): Scratch {
  const { at, agent } = oneAgent({ files: { 'src/x.txt': 'a\nb\n', 'y.txt': 'other\n' } });
  agent.lock('src/x.txt');
  agent.read('src/x.txt');
  expect(agent.edit('src/x.txt', 'b', 'B').post?.exit).toBe(0);
  agent.end();
  return at;
}

const error = (at: Scratch) => {
  const told = at.guard('undo', 'src/x.txt', '--json');
  return [told.exit, (told.json() as { error?: { code: string } }).error?.code];
};

test('a file replaced by a link is not "nothing to undo", and comes back once the link is out of the way', () => {
  const at = written();
  fs.rmSync(at.path('src/x.txt'));
  fs.symlinkSync('../y.txt', at.path('src/x.txt'));
  expect(error(at)).toEqual([1, 'GUARD_ERR_UNDO']);
  expect(at.guard('undo', 'src/x.txt').stderr).toContain(`is a link to ${at.path('y.txt')} now`);
  expect(at.read('y.txt')).toBe('other\n');
  fs.renameSync(at.path('src/x.txt'), at.path('away'));
  expect(at.guard('undo', 'src/x.txt').exit).toBe(0);
  expect(at.read('src/x.txt')).toBe('a\nB\n');
});

test('a file that became a directory says so, and comes back once that is out of the way', () => {
  const at = written();
  fs.rmSync(at.path('src/x.txt'));
  fs.mkdirSync(at.path('src/x.txt'));
  expect(error(at)).toEqual([2, 'GUARD_ERR_UNREADABLE']);
  expect(at.guard('undo', 'src/x.txt').stderr).toMatch(/is a directory now.*\n.*move away what is there/);
  fs.rmdirSync(at.path('src/x.txt'));
  expect(at.guard('undo', 'src/x.txt').exit).toBe(0);
  expect(at.read('src/x.txt')).toBe('a\nB\n');
});

test('a file that was always a link stands for its target', () => {
  const { at, agent } = oneAgent({ files: { 'y.txt': 'a\nb\n' } });
  fs.symlinkSync('y.txt', at.path('link'));
  agent.lock('y.txt');
  agent.read('y.txt');
  agent.edit('y.txt', 'b', 'B');
  agent.end();
  expect(at.guard('undo', 'link').exit).toBe(0);
  expect(at.read('y.txt')).toBe('a\nb\n');
});

test('a file that was moved is named by the name that has its history', () => {
  const at = written();
  fs.renameSync(at.path('src/x.txt'), at.path('src/z.txt'));
  const told = at.guard('undo', 'src/z.txt', '--json');
  expect([told.exit, told.json()]).toMatchObject([
    1,
    { files: [{ nothing: true, known_as: ['src/x.txt'] }] },
  ]);
  expect(at.guard('undo', 'src/z.txt').stdout).toContain('is recorded as src/x.txt');
  expect(at.guard('undo', 'y.txt', '--json').json()).not.toHaveProperty('files.0.known_as');
});
