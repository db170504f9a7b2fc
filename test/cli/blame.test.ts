/** `guard blame`: which agent wrote each line, and what it admits when it cannot know. */
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { oneAgent, type Scratch, type Session, sha256, working } from '../claude/driver.ts';

interface Line {
  readonly line: number;
  readonly text: string;
  readonly by: readonly {
    readonly agents: readonly string[];
    readonly how: string;
    readonly lsn: number | null;
  }[];
  readonly may_be_older?: true;
}

function blame(at: Scratch, file: string): readonly Line[] {
  const told = at.guard('blame', file, '--json');
  expect(told.stderr).toBe('');
  return (told.json() as { lines: readonly Line[] }).lines;
}

const authors = (lines: readonly Line[]): readonly string[] =>
  lines.map(({ by }) => by.map(({ agents, how }) => (agents.length > 0 ? agents.join('|') : how)).join(', '));

function edit(who: Session, file: string, from: string, to: string): void {
  who.lock(file);
  who.read(file);
  expect(who.edit(file, from, to).post?.exit).toBe(0);
  who.guard('lock', 'release', who.scratch.path(file));
}

test('five writes by three agents, line by line', () => {
  const { at, agent: a } = oneAgent({ files: { 'x.txt': 'one\ntwo\nthree\nfour\nfive\n' } });
  const [b, c] = [working(at), working(at)];
  edit(a, 'x.txt', 'two', 'TWO');
  edit(b, 'x.txt', 'four', 'FOUR\nfour and a half');
  edit(c, 'x.txt', 'TWO', 'Two of c');
  edit(a, 'x.txt', 'five', 'FIVE');
  edit(b, 'x.txt', 'one\n', '');
  const lines = blame(at, 'x.txt');
  expect(lines.map(({ text }) => text)).toEqual(['Two of c', 'three', 'FOUR', 'four and a half', 'FIVE']);
  expect(authors(lines)).toEqual([c.name, '', b.name, b.name, a.name]);
  const writes = at.log('write').map(({ lsn }) => lsn);
  expect(lines.map(({ by }) => by[0]?.lsn)).toEqual([writes[2], undefined, writes[1], writes[1], writes[3]]);
  expect(at.guard('blame', 'x.txt').stdout).toMatch(/not recorded +2 three/);
});

test('a change by a command in between has no known author', () => {
  const { at, agent } = oneAgent({ files: { 'x.txt': 'one\ntwo\n' } });
  edit(agent, 'x.txt', 'one', 'ONE');
  at.put('x.txt', 'ONE\ntwo\nfrom sed\n');
  expect(authors(blame(at, 'x.txt'))).toEqual([agent.name, '', 'outside']);
  edit(agent, 'x.txt', 'two', 'TWO');
  expect(authors(blame(at, 'x.txt'))).toEqual([agent.name, agent.name, 'outside']);
});

test('if an intermediate content was not stored, it names the possible authors', () => {
  const { at, agent: a } = oneAgent({ files: { 'x.txt': 'one\ntwo\n' } });
  const b = working(at);
  edit(a, 'x.txt', 'one', 'ONE');
  edit(b, 'x.txt', 'two', 'TWO');
  fs.rmSync(join(at.state, 'contents', sha256(Buffer.from('ONE\ntwo\n'))));
  expect(authors(blame(at, 'x.txt'))).toEqual([`${a.name}, ${b.name}`, `${a.name}, ${b.name}`]);
});

test('if the first content was not stored, a line may be older than the named write', () => {
  const { at, agent } = oneAgent({ files: { 'x.txt': 'one\ntwo\n' } });
  edit(agent, 'x.txt', 'one', 'ONE');
  fs.rmSync(join(at.state, 'contents', sha256(Buffer.from('one\ntwo\n'))));
  expect(blame(at, 'x.txt').map(({ may_be_older }) => may_be_older)).toEqual([true, true]);
});

test('a file never written under guard, a path that is not a file, and one that is not text', () => {
  const { at } = oneAgent({ files: { 'x.txt': 'one\n', 'x.bin': Buffer.from([0xff, 0, 0xfe]) } });
  expect(authors(blame(at, 'x.txt'))).toEqual(['']);
  for (const name of ['x.bin', 'gone.txt', '.'])
    expect(at.guard('blame', name, '--json').json()).toMatchObject({
      error: { code: 'GUARD_ERR_UNREADABLE' },
    });
});

test('after compaction the archive still has the authors', () => {
  const { at, agent } = oneAgent({ files: { 'x.txt': 'one\ntwo\n' } });
  edit(agent, 'x.txt', 'one', 'ONE');
  const [write] = at.log('write');
  fs.mkdirSync(join(at.state, 'archive'), { mode: 0o700 });
  const [segment = ''] = fs.readdirSync(at.state).filter((name) => name.startsWith('ledger-'));
  // The state that compaction leaves: the older segment archived, a newer one in its place.
  fs.copyFileSync(join(at.state, segment), join(at.state, 'archive', segment));
  expect(blame(at, 'x.txt')[0]?.by).toMatchObject([{ agents: [agent.name], lsn: write?.['lsn'] }]);
});
