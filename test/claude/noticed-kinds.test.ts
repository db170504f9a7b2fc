/** A held file can be replaced by something that is not a file. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oneAgent } from './driver.ts';
import { afterThisTick } from './driver/tick.ts';

test.each<[string, (path: string) => void]>([
  ['a link to another file', (path) => symlinkSync('b.txt', path)],
  ['a directory', (path) => mkdirSync(path)],
])('%s in the place of a held file is told once, and so is the file that comes back', (_, put) => {
  const { at, agent } = oneAgent({ files: { 'a.txt': '1\n', 'b.txt': '2\n' } });
  agent.lock('a.txt');
  agent.read('a.txt');
  expect(agent.edit('a.txt', '1\n', '1 mine\n').post?.exit).toBe(0);
  // Two changes within one tick of the file clock can look like one.
  afterThisTick();
  rmSync(at.path('a.txt'));
  put(at.path('a.txt'));
  expect(agent.prompt().context).toContain(at.path('a.txt'));
  expect(agent.prompt().context).not.toContain(at.path('a.txt'));
  expect(at.log('drift')).toMatchObject([{ path: 'a.txt', to: null, author: 'outside' }]);
  afterThisTick();
  rmSync(at.path('a.txt'), { recursive: true });
  at.put('a.txt', '3\n');
  expect(agent.prompt().context).toContain(at.path('a.txt'));
  expect(at.log('drift')).toHaveLength(2);
});
