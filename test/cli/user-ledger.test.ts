/** The user's own ledger: files outside every guarded repository. */
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneAgent, scratch, type Scratch } from '../claude/driver.ts';

const SEGMENT = 'ledger-000000000001.jsonl';
const stateOf = (at: Scratch): string => join(at.home, '.local/state/guard');

/** An agent that wrote a file outside every guarded repository. */
function outside() {
  const { at, agent } = oneAgent({ init: null, files: { 'a.txt': 'one\n' } });
  agent.read('a.txt');
  agent.edit('a.txt', 'one', 'two');
  return { at, agent, state: stateOf(at) };
}

describe('the ledger of files outside of guarded repositories', () => {
  it('is shown by guard log --user, with --path in any spelling', () => {
    const { at, agent } = outside();
    const writes = at.guard('log', '--user', '--json', '--type', 'write').lines();
    expect(writes.map((record) => record['agent'])).toEqual([agent.name]);
    expect(at.guard('log', '--user', '--json', '--type', 'write', '--path', './a.txt').lines()).toEqual(
      writes,
    );
    expect(at.guard('log', '--user', '--json', '--path', 'b.txt').stdout).toBe('');
    expect(at.guard('log').exit).toBe(2);
  });

  it('is verified by guard verify --user, repaired with --fix and --quarantine, and by people only', () => {
    const { at, state } = outside();
    expect(at.guard('verify', '--user', '--json').json()).toMatchObject({ ok: true, problems: [] });
    fs.writeFileSync(join(state, 'index'), fs.readFileSync(join(state, 'index')).fill(0, 512));
    expect(at.guard('verify', '--user')).toMatchObject({
      exit: 1,
      stdout: expect.stringContaining('--user --fix') as string,
    });
    expect(at.guard('verify', '--user', '--fix', '--json')).toMatchObject({ exit: 0 });

    const bytes = fs.readFileSync(join(state, SEGMENT));
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    fs.writeFileSync(join(state, SEGMENT), bytes);
    expect(at.guard('verify', '--user', '--fix').exit).toBe(1);
    const agents = at.guardWith({ CLAUDECODE: '1' }, 'verify', '--user', '--fix', '--quarantine');
    expect([agents.exit, fs.readFileSync(join(state, SEGMENT)).equals(bytes)]).toEqual([64, true]);
    expect(at.guard('verify', '--user', '--fix', '--quarantine').exit).toBe(0);
    expect(fs.readFileSync(join(state, 'quarantine', SEGMENT)).equals(bytes)).toBe(true);
    expect(at.guard('verify', '--user').exit).toBe(0);
  });

  it('is compacted by guard compact --user', () => {
    const { at, state } = outside();
    expect(at.guard('compact', '--user', '--if-due', '--json').json()).toEqual({
      due: false,
      contents: null,
    });
    expect(at.guard('compact', '--user', '--all', '--json').json()).toMatchObject({ archived: [], first: 1 });
    expect(fs.existsSync(join(state, SEGMENT))).toBe(true);
  });

  it('is not that of the repository around the command', () => {
    const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' } });
    agent.lock('a.txt');
    for (const command of ['log', 'verify', 'compact']) {
      const told = at.guard(command, '--user');
      expect([told.exit, told.stderr]).toEqual([2, expect.stringContaining('no ledger of your own')]);
    }
    expect(fs.readdirSync(stateOf(at))).toEqual(['known']);
  });

  it('has a repair of its own, a repository has guard doctor', () => {
    const at = scratch();
    expect(at.guard('verify', '--fix').exit).toBe(64);
    expect(at.guard('verify', '--user', '--quarantine').exit).toBe(64);
  });
});
