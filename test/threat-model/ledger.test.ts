/** What guard writes to disk, and what it does not. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch, working, wrongs } from '../claude/driver.ts';
import { harness } from '../harness/harness.ts';
import { installed } from './installed.ts';

const SECRETS = [
  'sEcReT-of-a-file',
  'sEcReT-that-is-written',
  'sEcReT-of-a-prompt',
  'sEcReT-of-the-env',
] as const;
const [OLD, NEW, PROMPT, VARIABLE] = SECRETS;

/** Every file of a directory that contains the text, by its name relative to the directory. */
const filesWith = (dir: string, text: string): readonly string[] =>
  fs
    .readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.lstatSync(join(dir, name)).isFile())
    .filter((name) => fs.readFileSync(join(dir, name)).includes(text));

function worked() {
  const at = installed({ files: { 'a.txt': `${OLD}\n`, 'b.txt': `${OLD}\n` } });
  const agent = working(at, { env: { SOME_TOKEN: VARIABLE } });
  agent.prompt(`Do it: ${PROMPT}`);
  agent.lock('a.txt');
  agent.read('a.txt');
  const { pre, post, call } = agent.edit('a.txt', OLD, NEW);
  expect([pre.exit, post?.exit]).toEqual([0, 0]);
  expect(wrongs(agent.edit('b.txt', OLD, NEW).pre)).toEqual(['NOT_LOCKED']);
  return { at, agent, call };
}

const isLedger = (name: string): boolean => /^(?:ledger-|checkpoint-|index)/.test(name);

describe('what the ledger has', () => {
  it('paths, agents, digests, tools and times of each write, denials as a whole; what agents tell each other', () => {
    const { at, agent } = worked();
    expect(at.log('write')).toMatchObject([
      {
        agent: agent.name,
        path: 'a.txt',
        tool: 'Edit',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    ]);
    expect(at.log('write.rejected')).toMatchObject([
      { agent: agent.name, paths: ['b.txt'], tool: 'Edit', denial: { error_type: 'NOT_LOCKED' } },
    ]);
    for (const { ts } of at.log()) expect(String(ts)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(at.guard('message', 'send', 'words of mine', '--to', agent.name, '--agent', 'ann').exit).toBe(0);
    expect(at.guard('reserve', 'src/**', '--reason', 'ground of mine', '--agent', 'ann').exit).toBe(0);
    for (const text of ['words of mine', 'ground of mine'])
      expect(filesWith(at.state, text).filter(isLedger), text).not.toEqual([]);
  });

  it('of a drafted agent the first words of its prompt and what it said last, not the rest of its prompt', () => {
    const at = harness();
    at.await(at.draft('dev', ['say One two three four five.', `js 'zzyzx'`, 'result That was all.']));
    expect(at.at.log('exit')).toMatchObject([{ last_output: 'That was all.' }]);
    expect(filesWith(at.at.state, 'say-one-two-three-four-five').filter(isLedger)).not.toEqual([]);
    expect(filesWith(at.at.state, 'zzyzx').filter(isLedger)).toEqual([]);
  });
});

describe('no content, no prompts, no environment, no key', () => {
  it('reaches the ledger, whether a write is carried out or denied', () => {
    const { at } = worked();
    for (const secret of SECRETS) expect(filesWith(at.state, secret).filter(isLedger), secret).toEqual([]);
    expect(filesWith(at.state, 'a.txt').filter(isLedger)).not.toEqual([]);
  });

  it('nor what seals are made with', () => {
    const { at, agent } = worked();
    const sub = agent.subagent('sub');
    sub.fire('SubagentStart');
    sub.guard('lock', 'try', 'b.txt');
    const key = fs.readFileSync(`${at.home}/.local/state/guard/key`);
    expect(key.length).toBeGreaterThan(15);
    for (const form of [key.toString('latin1').trim(), key.toString('hex'), key.toString('base64')])
      expect(filesWith(at.state, form)).toEqual([]);
  });
});

describe('the text of the last write is kept for its formatter', () => {
  /** Copies for undo are a separate matter (contents.test.ts). */
  const textsWith = (dir: string, text: string): readonly string[] =>
    filesWith(dir, text).filter((name) => !name.startsWith('contents/'));
  const modeOf = (at: Scratch, name: string): number => fs.statSync(join(at.state, name)).mode & 0o777;

  it('in the state directory, for this user alone, to the end of the batch', () => {
    const { at, agent, call } = worked();
    const kept = textsWith(at.state, NEW);
    expect(kept).toHaveLength(1);
    expect(kept.map((name) => modeOf(at, name))).toEqual([0o600]);
    expect(modeOf(at, '.')).toBe(0o700);
    agent.batch(call);
    expect(textsWith(at.state, NEW)).toEqual([]);
  });

  it('up to 256 Ki characters', () => {
    const at = installed();
    const agent = working(at);
    agent.lock('most.txt', 'more.txt');
    for (const [file, more] of [
      ['most.txt', 0],
      ['more.txt', 1],
    ] as const) {
      const content = `${file}-${NEW}`.padEnd(262_144 + more, 'x');
      expect(agent.write(file, content).post?.exit).toBe(0);
    }
    expect(textsWith(at.state, `most.txt-${NEW}`)).toHaveLength(1);
    expect(textsWith(at.state, `more.txt-${NEW}`)).toEqual([]);
  });
});

describe('the state directory is not committed', () => {
  it('inside the git directory, or in .guard/, which ignores itself', () => {
    const at = installed();
    expect(fs.statSync(at.state).mode & 0o777).toBe(0o700);
    at.git('add', '-A');
    expect(at.git('ls-files')).toMatch(/^(?:\.claude\/[\w.-]+\n)+$/);
    const plain = scratch({ init: null });
    fs.rmSync(plain.path('.git'), { recursive: true });
    expect(plain.guard('init').exit).toBe(0);
    expect(plain.guard('lock', 'try', 'a.txt', '--agent', 'ann').exit).toBe(0);
    execFileSync('git', ['init', '-q', plain.root]);
    plain.git('add', '-A');
    expect(plain.git('ls-files')).not.toContain('.guard/');
    expect(fs.existsSync(plain.path('.guard/install.json'))).toBe(true);
  });
});
