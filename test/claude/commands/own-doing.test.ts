/** A file that only its agent's own commands touched since the agent joined: no denial for what nobody else changed. */
import { describe, expect, it } from 'vitest';
import { oneAgent, working, wrongs } from '../driver.ts';
import type { Session } from '../driver.ts';
import { lastByOthers } from '../../../src/claude/commands/own-doing.ts';
import type { WindowFile } from '../../../src/claude/commands/open-windows.ts';
import { begin, post, run, wrongsOf } from './shell.ts';

const FILES = { 'src/a.txt': 'one\n', 'src/b.txt': 'one\n', 'run.sh': 'true\n' };

function lone(): { at: Session['scratch']; agent: Session } {
  const { at, agent } = oneAgent({ files: FILES, init: ['--preset', 'standard'] });
  at.git('add', '-A');
  return { at, agent };
}

const nextTurn = (agent: Session): void => {
  agent.stopped({});
  agent.prompt('go on');
};

describe('a file that the agent never read, after its own command', () => {
  it.each([
    ['touch src/a.txt', 'src/a.txt'],
    ['touch -d yesterday src/a.txt', 'src/a.txt'],
    ['touch src/*.txt', 'src/b.txt'],
    ['chmod +x run.sh', 'run.sh'],
    ['chmod +x run.sh; touch run.sh', 'run.sh'],
    ['git mv src/a.txt n.txt', 'n.txt'],
    ['touch n.txt && git add n.txt', 'n.txt'],
    ['> n.txt; git add n.txt', 'n.txt'],
    ['mkdir -p d && touch d/n.txt && git add d', 'd/n.txt'],
    [`python3 -c "open('n.txt','w').write('hi')"; git add n.txt`, 'n.txt'],
    [`python3 -c "open('src/a.txt','w').write('hi')"`, 'src/a.txt'],
  ])('%s', (line, file) => {
    const { agent } = lone();
    expect(run(agent, line).post?.exit).toBe(0);
    expect(wrongs(agent.edit(file, 'o', 'x').pre).filter((one) => one !== 'NOT_LOCKED')).toEqual([]);
    expect(wrongsOf(agent, `echo two >> ${file}`)).toEqual([]);
    nextTurn(agent);
    expect(wrongsOf(agent, `echo two >> ${file}`)).toEqual([]);
  });

  it('however often it does so', () => {
    const { agent } = lone();
    for (let turn = 0; turn < 3; turn++) run(agent, 'touch src/a.txt');
    run(agent, 'chmod +x src/a.txt');
    expect(wrongsOf(agent, 'echo two >> src/a.txt')).toEqual([]);
  });
});

describe('is unread as before where somebody else changed it', () => {
  const isUnread = (agent: Session): void => {
    expect(wrongsOf(agent, 'echo two >> src/a.txt')).toEqual(['UNREAD_FILE']);
  };

  it('before the agent’s own touch hid it', () => {
    const { at, agent } = lone();
    at.put('src/a.txt', 'a person’s\n');
    run(agent, 'touch src/a.txt');
    isUnread(agent);
  });

  it('after it', () => {
    const { at, agent } = lone();
    run(agent, 'touch src/a.txt');
    at.put('src/a.txt', 'a person’s\n');
    isUnread(agent);
  });

  it('while a command that only shows it was running', () => {
    const { at, agent } = lone();
    const { call } = begin(agent, 'wc -l src/a.txt; sleep 60');
    at.put('src/a.txt', 'a person’s\n');
    post(agent, call);
    isUnread(agent);
  });

  it('and where another agent was at work at the time', () => {
    const { at, agent } = lone();
    const other = working(at);
    begin(other, 'make');
    run(agent, 'touch src/a.txt');
    isUnread(agent);
  });
});

it('an empty file holds nothing that its agent has not seen', () => {
  const { at, agent } = oneAgent({ files: FILES, config: { preset: 'strict' } });
  at.git('add', '-A');
  run(agent, 'touch n.txt; git add n.txt');
  agent.lock('n.txt');
  expect(wrongsOf(agent, 'echo two >> n.txt')).toEqual([]);
});

describe('a file that its agent’s command made, and a next command within the grain of the clock', () => {
  const MADE_MS = 1_000_000;
  const key = `1.2.3.${MADE_MS}000000.${MADE_MS}000000`;
  const seen = { abs: '/r/n.txt', key, born_ms: MADE_MS, ctime_ms: MADE_MS };
  const window = (more: Partial<WindowFile>): WindowFile => ({
    ...{ v: 1, agent: 'a', op: 'o', since_ms: MADE_MS - 50, until_ms: MADE_MS + 3, targets: ['n.txt'] },
    ...{ task: null, in_background: false, candidates: {} },
    ...more,
  });
  const next = (agent: string): WindowFile =>
    window({ agent, op: 'p', since_ms: MADE_MS + 5, until_ms: null, candidates: { '/r/n.txt': key } });
  const asked = (...windows: WindowFile[]): number => lastByOthers(seen, { me: 'a', path: 'n.txt', windows });

  it.each(['a', 'b'])('of %s, which found it so: it is the first command’s', (agent) => {
    expect(asked(window({}), next(agent))).toBe(0);
  });

  it('without the first one: nobody knows whose', () => {
    expect(asked(next('a'))).toBe(MADE_MS);
  });

  it('of another agent, which did not look: it may be that one’s', () => {
    expect(asked(window({}), { ...next('b'), candidates: {} })).toBe(MADE_MS);
  });
});
