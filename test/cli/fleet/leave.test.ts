/** Leaving a shared ledger after a process was killed half way. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { locateRepo } from '../../../src/repo/locate.ts';
import { scratch, working } from '../../claude/driver.ts';

test('a name that outlived the shared ledger goes once no agent is at work, and then there is nothing to leave', () => {
  const at = scratch({ files: { 'a.txt': '1\n' } });
  const nameNow = (): string | null => locateRepo(at.root).worktree;
  const name = '~@host.repo-0123456789';
  writeFileSync(`${at.state}/ledger`, JSON.stringify({ v: 1, clone: name }));
  const agent = working(at);
  agent.lock('a.txt');
  expect(at.guard('fleet', 'leave').stderr).toContain('Agents are at work here');
  expect(nameNow()).toBe(name);
  agent.guard('leave');
  expect(at.guard('fleet', 'leave').exit).toBe(0);
  expect(nameNow()).toBeNull();
  expect(at.guard('fleet', 'leave').stderr).toContain('There is nothing to leave');
});
