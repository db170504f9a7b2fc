/** Who holds a file, without the ledger's lock: the file beside the ledger, and the records since it was written. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { oneAgent, working } from '../driver.ts';
import { hidden, sh } from './really.ts';

it('is not written anew for each command, and what was locked since is known all the same', () => {
  const { at, agent: a } = oneAgent({ files: { 'f.txt': 'one\n', 'g.txt': 'one\n' } });
  const b = working(at);
  const written = (): number => fs.statSync(`${at.state}/holds.json`).ino;
  a.read('f.txt');
  a.read('g.txt');
  a.lock('f.txt');
  sh(b, 'true');
  const first = written();
  a.lock('g.txt');
  sh(b, hidden('echo bad > g.txt'));
  expect(at.log('drift')).toMatchObject([{ path: 'g.txt', agents: [b.name] }]);
  expect(written()).toBe(first);
  const many = Array.from({ length: 300 }, (_, nth) => `many/${nth}.txt`);
  a.guard('lock', 'try', ...many);
  sh(b, 'true');
  expect(written()).not.toBe(first);
});
