/** What a reader of command lines may report besides single files: directories of formatters, literals in code. */
import { describe, expect, it, vi } from 'vitest';
import { type Effects, NO_EFFECTS } from '../../../src/shell/effects.ts';
import { expectEnvelope, oneAgent, working, wrongs } from '../driver.ts';
import { begin, wrongsOf } from './shell.ts';

const said = vi.hoisted(() => ({ effects: null as Effects | null }));
vi.mock('../../../src/shell/read-line.ts', () => ({ readLine: () => said.effects ?? NO_EFFECTS }));

function two() {
  const { at, agent } = oneAgent({
    files: { 'src/a.txt': 'one\n', 'src/b.txt': 'one\n', 'lib/c.txt': 'one\n' },
  });
  at.git('add', '-A');
  const other = working(at);
  const says = (effects: Partial<Effects>): void => void (said.effects = { ...NO_EFFECTS, ...effects });
  const formatter = (paths: readonly string[], is_glob = false): Partial<Effects> => ({
    scopes: [
      {
        kind: 'formatter',
        by: 'prettier',
        source: 'prettier --write',
        paths,
        ...(is_glob ? { is_glob } : {}),
      },
    ],
  });
  return { at, agent, other, says, formatter };
}

describe('a formatter', () => {
  it('is denied in a directory where another one holds a file, and told what it may name', () => {
    const { at, agent, other, says, formatter } = two();
    other.lock('src/a.txt');
    agent.lock('src/b.txt');
    says(formatter([at.root]));
    const { pre } = begin(agent, 'mise run fmt');
    expect(wrongs(pre)).toEqual(['LOCKED_BY_OTHER']);
    const { details } = expectEnvelope(pre);
    expect(details['held']).toEqual([at.path('src/a.txt')]);
    expect(details.next[0]).toContain(at.path('src/b.txt'));
    says(formatter([at.path('lib')]));
    expect(wrongsOf(agent, 'mise run fmt')).toEqual([]);
    says(formatter([at.path('src/b.txt')]));
    expect(wrongsOf(agent, 'mise run fmt')).toEqual([]);
  });

  it('by a pattern goes through what the pattern means', () => {
    const { at, agent, other, says, formatter } = two();
    other.lock('src/a.txt');
    says(formatter([`${at.root}/src/*.md`], true));
    expect(wrongsOf(agent, 'mise run fmt')).toEqual([]);
    says(formatter([`${at.root}/**/*.txt`], true));
    expect(wrongsOf(agent, 'mise run fmt')).toEqual(['LOCKED_BY_OTHER']);
  });
});

it('a literal in code that may not run needs no lock, and is denied what another one holds or wrote since', () => {
  const { at, agent, other, says } = two();
  const literal = {
    path: at.path('src/a.txt'),
    act: 'write',
    by: 'python',
    source: "open('src/a.txt')",
  } as const;
  says({ targets: [{ ...literal, found: 'scanned' }] });
  agent.read('src/a.txt');
  expect(wrongsOf(agent, 'python3 -')).toEqual([]);
  at.put('src/a.txt', 'changed\n');
  expect(wrongsOf(agent, 'python3 -')).toEqual(['STALE_FILE']);
  agent.read('src/a.txt');
  other.lock('src/a.txt');
  expect(wrongsOf(agent, 'python3 -')).toEqual(['LOCKED_BY_OTHER']);
});

it('a new file that code writes is denied where another one holds its name', () => {
  const { at, agent, other, says } = two();
  const made = {
    path: at.path('src/made.txt'),
    act: 'write',
    by: 'python',
    source: 'open',
    found: 'scanned',
  } as const;
  says({ targets: [made] });
  expect(wrongsOf(agent, 'python3 gen.py')).toEqual([]);
  other.lock('src/made.txt');
  expect(wrongsOf(agent, 'python3 gen.py')).toEqual(['LOCKED_BY_OTHER']);
});

it('more files than are judged one by one are denied only where one of them is held', () => {
  const { at, agent, other, says } = two();
  const many = Array.from({ length: 300 }, (_, nth) => at.put(`many/${String(nth)}.txt`, 'x\n'));
  at.git('add', '-A');
  says({
    targets: many.map((path) => ({ path, act: 'edit', by: 'sed', source: 'sed -i', found: 'expanded' })),
  });
  at.put('many/other.txt', 'x\n');
  other.lock('many/other.txt');
  expect(wrongsOf(agent, 'sed -i s/x/y/ many/[0-9]*')).toEqual([]);
  other.lock('many/7.txt');
  expect(wrongsOf(agent, 'sed -i s/x/y/ many/[0-9]*')).toEqual(['LOCKED_BY_OTHER']);
});
