/** A file changed only by its agent's own commands since the agent joined is never a reason for a denial. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneAgent, type Session, working, wrongs } from '../driver.ts';
import { lastByOthers } from '../../../src/claude/commands/own-doing.ts';
import { isCrowded, putWindow, type WindowFile } from '../../../src/claude/commands/open-windows.ts';
import { scratchDir } from '../../install/scratch.ts';
import { sweepWindows } from '../../../src/claude/commands/sweep-windows.ts';
import { historyIn } from '../../../src/claude/commands/window-history.ts';
import { begin, post, run, wrongsOf } from './shell.ts';

const FILES = { 'src/a.txt': 'one\n', 'src/b.txt': 'one\n', 'run.sh': 'true\n' };

function lone(): { at: Session['scratch']; agent: Session } {
  const { at, agent } = oneAgent({ files: FILES, init: ['--preset', 'standard'] });
  at.git('add', '-A');
  return { at, agent };
}

const filesIn = (state: string): string[] =>
  fs.readdirSync(`${state}/windows`).map((name) => `${state}/windows/${name}`);

/** Truncates the files, as a crash during a write would. */
const damage = (state: string): void => {
  for (const file of filesIn(state)) fs.truncateSync(file, 40);
};

const crowd = (state: string): void => {
  for (let n = 0; n < 10_000; n++) fs.writeFileSync(`${state}/windows/${n}.json`, '');
};

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

  it('while a command that only marks it was running', () => {
    for (const line of ['touch src/a.txt', 'chmod +x src/a.txt']) {
      const { at, agent } = lone();
      const { call } = begin(agent, `${line}; npm test`);
      at.put('src/a.txt', 'a person’s\n');
      post(agent, call);
      isUnread(agent);
    }
  });

  it('after an interrupt, before the next prompt', () => {
    const { at, agent } = lone();
    begin(agent, 'sed -i s/one/two/ src/a.txt; npm test');
    at.put('src/a.txt', 'a person’s\n');
    agent.prompt('go on');
    isUnread(agent);
  });

  it('while a command in the background that names it runs on', () => {
    const { at, agent } = lone();
    begin(agent, 'npm test > src/a.txt', { run_in_background: true });
    at.put('src/a.txt', 'a person’s\n');
    isUnread(agent);
  });

  it('and the window of whoever was at work is damaged, or one of too many', () => {
    for (const spoil of [damage, crowd]) {
      const { at, agent } = lone();
      const other = working(at);
      begin(other, 'make');
      spoil(at.state);
      run(agent, 'touch src/a.txt');
      isUnread(agent);
    }
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
  const asked = (...windows: WindowFile[]): number =>
    lastByOthers(seen, { me: 'a', path: 'n.txt', windows, after_ms: 0, before_ms: Infinity });

  it.each(['a', 'b'])('of %s, which found it so: it is the first command’s', (agent) => {
    expect(asked(window({}), next(agent))).toBe(0);
  });

  it('without the first one: nobody knows whose', () => {
    expect(asked(next('a'))).toBe(MADE_MS);
  });

  it('of another agent, which did not look: it may be that one’s', () => {
    expect(asked(window({}), { ...next('b'), candidates: {} })).toBe(MADE_MS);
  });

  const [BEFORE, BETWEEN] = [`1.2.3.1000000.1000000`, `1.2.3.2000000.900000000000`];
  const [first, last] = [
    window({ since_ms: 0, candidates: { '/r/n.txt': BEFORE } }),
    window({ op: 'p', since_ms: MADE_MS - 9, candidates: { '/r/n.txt': BETWEEN } }),
  ];

  it('of two that ran at once the later one tells what was before it, and whose that was', () => {
    expect(asked(first, last)).toBe(1);
    expect(asked(first, last, window({ agent: 'b', since_ms: 899_990, until_ms: 900_010 }))).toBe(900_000);
  });

  it('a file that it only marked is its own where size and inode are the same', () => {
    const marking = (before: string): WindowFile =>
      window({ targets: [], marked: ['n.txt'], candidates: { '/r/n.txt': before } });
    expect(asked(marking('1.2.3.5000000.5000000'))).toBe(5);
    expect(asked(marking('1.2.4.5000000.5000000'))).toBe(MADE_MS);
    expect(asked(marking('1.7.3.5000000.5000000'))).toBe(MADE_MS);
    const made = { ...seen, key: `1.2.0.${MADE_MS}000000.${MADE_MS}000000` };
    const asking = { me: 'a', path: 'n.txt', windows: [window({ targets: [], marked: ['n.txt'] })] };
    expect(lastByOthers(made, { ...asking, after_ms: 0, before_ms: Infinity })).toBe(0);
    expect(lastByOthers(seen, { ...asking, after_ms: 0, before_ms: Infinity })).toBe(MADE_MS);
  });

  it('whose end nobody heard of, or in the background: it proves nothing', () => {
    expect(asked(window({ unheard: true }))).toBe(MADE_MS);
    expect(asked(window({ in_background: true }))).toBe(MADE_MS);
  });
});

describe('windows that were swept', () => {
  const NOW_MS = 1_800_000_000_000;
  const state = (windows: readonly Partial<WindowFile>[]): string => {
    const dir = scratchDir();
    for (const [nth, more] of windows.entries())
      putWindow(dir, {
        ...{ v: 1, agent: 'a', op: String(nth), since_ms: NOW_MS - 9, until_ms: NOW_MS, targets: ['n.txt'] },
        ...{ task: null, in_background: false, candidates: {} },
        ...more,
      });
    return dir;
  };
  const key = `1.2.3.${NOW_MS - 2_000_000}000000.${NOW_MS - 2_000_000}000000`;
  const changed = { abs: '/r/n.txt', key, born_ms: 0, ctime_ms: NOW_MS - 2_000_000 };
  const before = { '/r/n.txt': '1.2.3.1000000.1000000' };
  const long = { since_ms: NOW_MS - 3_000_000, candidates: before };

  it('prove nothing of their time, though a longer one of the agent is there still', () => {
    const short = { agent: 'b', since_ms: NOW_MS - 2_000_100, until_ms: NOW_MS - 1_999_900 };
    const dir = state([long, short]);
    const asked = () => lastByOthers(changed, { me: 'a', path: 'n.txt', ...historyIn(dir) });
    expect(asked()).toBe(changed.ctime_ms);
    sweepWindows(dir, NOW_MS);
    expect(historyIn(dir).windows).toHaveLength(1);
    expect(asked()).toBe(changed.ctime_ms);
  });

  it('and nothing is missing of what ran later', () => {
    const dir = state([long, { agent: 'b', since_ms: 5, until_ms: 10 }]);
    sweepWindows(dir, NOW_MS);
    expect(historyIn(dir)).toMatchObject({ after_ms: 10, before_ms: Infinity });
    expect(lastByOthers(changed, { me: 'a', path: 'n.txt', ...historyIn(dir) })).toBe(1);
  });

  it('with more than anybody reads, every command sweeps', () => {
    const dir = state([{}]);
    crowd(dir);
    expect([isCrowded(dir), historyIn(dir).after_ms]).toEqual([true, Infinity]);
    sweepWindows(dir, Date.now());
    expect(historyIn(dir).windows.length + fs.readdirSync(`${dir}/windows`).length).toBeLessThan(300);
  });

  it('a note that is forged or damaged says that nothing is known', () => {
    const dir = state([long]);
    for (const text of ['', 'never', '-1', '1e999']) {
      fs.writeFileSync(`${dir}/windows/swept`, text);
      expect(historyIn(dir).after_ms).toBe(Infinity);
    }
    sweepWindows(dir, NOW_MS + 3_600_000);
    expect(historyIn(dir).after_ms).toBe(NOW_MS + 3_600_000);
  });
});
