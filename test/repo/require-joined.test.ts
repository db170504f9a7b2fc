/** A clone whose repository shares its ledger with other machines, and that has not joined it. */
import { expect, test } from 'vitest';
import { NAMED_FILE } from '../../src/repo/fleet-file.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { readInstall } from '../../src/repo/install.ts';
import { unjoined } from '../../src/repo/require-joined.ts';
import { type Scratch, scratch, working } from '../claude/driver.ts';

const NAMED = { v: 1, repository: '6f1f7a5e-8d0c-4a43-9f0e-0d7a4c1b2e3f', first_commit: null };

function clone(...init: readonly string[]): Scratch {
  const at = scratch({ files: { 'a.txt': '1\n' }, init });
  at.put(NAMED_FILE, JSON.stringify(NAMED));
  return at;
}

test('grants no lock and no reservation, and says which command does', () => {
  const at = clone();
  const agent = working(at);
  for (const asked of [
    agent.guard('lock', 'try', 'a.txt', '--json'),
    agent.guard('reserve', 'a.txt', '--reason', 'r', '--json'),
  ]) {
    expect(asked.exit).not.toBe(0);
    expect(asked.stdout + asked.stderr).toContain('GUARD_ERR_FLEET');
    expect(asked.stdout + asked.stderr).toContain('guard fleet join');
  }
  expect(at.log('hold')).toEqual([]);
  expect(agent.fire('SessionStart', { source: 'startup' }).stdout).toContain('guard fleet join');
});

test('denies a write that would lock its file by itself', () => {
  const at = clone('--preset', 'auto');
  const agent = working(at);
  agent.read('a.txt');
  const { pre } = agent.edit('a.txt', '1', '2');
  expect(`${pre.stdout}${pre.stderr}`).toContain('guard fleet join');
  expect(at.log('hold')).toEqual([]);
});

test('records what another lock server grants, which is no lock of this ledger', () => {
  const at = clone();
  const agent = working(at);
  const call = agent.call('mcp__mala-locking__lock_try', { filepaths: ['a.txt'] });
  agent.pre(call);
  const results = [{ filepath: 'a.txt', acquired: true, holder: null }];
  agent.post(call, [{ type: 'text', text: JSON.stringify({ results, all_acquired: true }) }]);
  expect(at.log('hold')).toMatchObject([{ agent: agent.name, paths: ['mala-locking//a.txt'] }]);
});

test('grants locks again once a person has decided to work alone, which lasts', () => {
  const at = clone();
  expect(at.guard('fleet', 'leave')).toMatchObject({ exit: 0, stderr: '' });
  working(at).lock('a.txt');
  expect(at.guard('init').exit).toBe(0);
  expect(readInstall(at.state)).toMatchObject({ alone: true });
  expect(unjoined(locateRepo(at.root))).toBeNull();
  expect(at.guard('fleet', 'leave').stderr).toContain('There is nothing to leave');
});

test('is reported by doctor', () => {
  const { results } = clone().guard('doctor', '--json').json() as { readonly results: readonly object[] };
  expect(results).toContainEqual(expect.objectContaining({ id: 'engine', status: 'fail' }));
});
