/** A file that an agent read is gone, while something else in this repository, or in another checkout, is unusual. */
import { execSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { type Denial, expectEnvelope, scratch, type Scratch, type Session, working } from './driver.ts';

function committed(): Scratch {
  const at = scratch({ files: { 'src/m1.txt': 'one\n' } });
  at.git('add', '.');
  at.git('-c', 'user.email=a@b', '-c', 'user.name=x', 'commit', '-q', '-m', 'x');
  return at;
}

/** The denial after the file was deleted; this agent had locked and read it. */
function refused(agent: Session, file: string): Denial {
  agent.lock(file);
  agent.read(file);
  fs.rmSync(file);
  return expectEnvelope(agent.write(file, 'mine\n').pre);
}

it('a file that never stands still, a growing log, does not change what the denial says', async () => {
  const at = committed();
  const log = at.path('dev.log');
  fs.writeFileSync(log, 'x'.repeat(3_000_000));
  const append = `const fd = fs.openSync(${JSON.stringify(log)}, 'a'); for (;;) fs.writeSync(fd, 'line\\n');`;
  const writer = spawn(process.execPath, ['-e', append], { stdio: 'ignore' });
  await vi.waitUntil(() => fs.statSync(log).size > 3_000_000, { timeout: 10_000 });
  const denial = refused(working(at), at.path('src/m1.txt'));
  writer.kill('SIGKILL');
  expect(denial).toMatchObject({ error_type: 'STALE_FILE', details: { gone: 'unknown' } });
});

it('where the agent is in another checkout, git is asked about the one of the file', () => {
  const at = committed();
  const tree = join(at.root, '..', 'my tree');
  at.git('worktree', 'add', '-q', '-b', 'mine', tree);
  const { next } = refused(working(at), join(tree, 'src/m1.txt')).details;
  expect(next[0]).toBe(`git -C '${tree}' status --short`);
  expect(execSync(next[0] ?? '', { cwd: at.root, encoding: 'utf8' })).toContain('D src/m1.txt');
});
