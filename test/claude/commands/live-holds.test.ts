/** A file's holder, without the ledger's lock: from the file next to the ledger, and the records since. */
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

it('names as many as are watched, those that were locked last, and the others once those are given back', () => {
  const { at, agent: a } = oneAgent({ files: { 'old/0.txt': 'one\n' } });
  const [b, c] = [working(at), working(at)];
  const files = (dir: string, count: number): string[] =>
    Array.from({ length: count }, (_, nth) => `${dir}/${nth}.txt`);
  const named = (): { is_cut: boolean; paths: string[] } => {
    sh(c, 'true');
    const text = fs.readFileSync(`${at.state}/holds.json`, 'utf8');
    const { is_cut, holds } = JSON.parse(text) as { is_cut: boolean; holds: [string][] };
    return { is_cut, paths: holds.map(([path]) => path) };
  };
  a.guard('lock', 'try', ...files('old', 600));
  b.guard('lock', 'try', ...files('new', 700));
  const many = named();
  expect(many).toMatchObject({ is_cut: true });
  expect(many.paths).toHaveLength(1_000);
  expect(many.paths).toEqual(expect.arrayContaining(files('new', 700)));
  b.guard('lock', 'release', '--all-held');
  const left = named();
  expect(left.is_cut).toBe(false);
  expect(left.paths.sort()).toEqual(files('old', 600).sort());
  sh(c, hidden('echo bad > old/0.txt'));
  expect(at.log('drift')).toMatchObject([{ path: 'old/0.txt', agents: [c.name] }]);
});
