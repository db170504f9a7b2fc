/** A supervisor stopped for so long that guard took it for dead, which wakes up after another has its place. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Facts } from '../../src/core/types.ts';
import { agentFiles } from '../../src/harness/agent-files.ts';
import { reconcile } from '../../src/harness/reconcile.ts';
import { draftOf, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { isDead, markProcess } from '../../src/repo/process.ts';
import { committed, LINES } from './committed.ts';
import { type Harness, until } from './harness.ts';
import { ID, leftRunning, markOf, SESSION } from './left.ts';

const LATER_MS = 7_200_000;
const report = (summary: string): string =>
  `Done.\\n\`\`\`json\\n${JSON.stringify({ summary, changes: [], issues: [], questions: [] })}\\n\`\`\``;
const waitFor = (file: string): string => `sh while ! test -e ${file}; do sleep 0.05; done`;

/** Until it is woken; nothing else ends a stopped process after a test that fails. */
function stop(pid: number): void {
  const mark = markOf(pid);
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    if (!isDead(mark)) process.kill(pid, 'SIGKILL');
  });
}

/** Looks two hours later, with the environment of a person who may start agents. */
function lookLater(at: Harness): void {
  const env = { ...at.at.env, ...at.env };
  const space = openHarness(locateRepo(at.at.root), env);
  const facts = (): Facts => {
    const { now, ...others } = space.facts();
    const { wall_ms, mono_ms } = now;
    return { ...others, now: { ...now, wall_ms: wall_ms + LATER_MS, mono_ms: mono_ms + LATER_MS } };
  };
  reconcile({ ...space, facts });
  space.close();
}

/** Wakes the first supervisor while the second one works; returns when the first one has ended. */
async function wakeBeside(at: Harness, id: string, first: number, turns: number): Promise<void> {
  await until(() => {
    const [row] = at.list();
    return row?.status === 'running' && row.turns === turns;
  }, 30_000);
  const space = openHarness(locateRepo(at.at.root), at.at.env);
  const { state_dir } = space.repo;
  const files = agentFiles(state_dir, id.slice('claude-'.length));
  const now = () => ({
    draft: draftOf(space, id),
    log: readFileSync(files.log, 'utf8'),
    client: markProcess(at.started(id).pid),
    is_there: existsSync(draftOf(space, id)?.worktree?.dir ?? 'none'),
  });
  const before = now();
  expect(before.client).not.toBeNull();
  expect(before).toMatchObject({ is_there: true, draft: { status: 'running' } });
  expect(before.draft?.supervisor?.pid).not.toBe(first);
  const mark = markOf(first);
  process.kill(first, 'SIGCONT');
  await until(() => isDead(mark), 15_000);
  expect(now()).toEqual(before);
  space.close();
  expect(readFileSync(join(files.dir, 'supervisor.log'), 'utf8')).toContain('"why":"replaced"');
}

describe('a supervisor that was stopped and wakes up beside another one', () => {
  it('while its client was at work: it ends, and worktree, log, record and processes are the other’s', async () => {
    const at = committed({ files: LINES });
    const id = at.draft('dev', ['say One.', 'hang'], '--worktree');
    await until(() => at.list()[0]?.turns === 1, 20_000);
    const first = at.supervisor(id);
    stop(first);
    lookLater(at);
    expect(at.await(id)).toMatchObject({ status: 'failed', reason: 'its supervisor died' });
    const more = ['say Two.', waitFor(at.at.path('more')), `result ${report('two')}`].join('\n');
    expect(at.guard('agent', 'send', id, more).exit).toBe(0);
    await wakeBeside(at, id, first, 2);
    writeFileSync(at.at.path('more'), '');
    expect(at.await(id)).toMatchObject({ status: 'completed', result: { summary: 'two' } });
    expect(at.at.log('exit')).toHaveLength(2);
  }, 90_000);

  it('while it set up a worktree: it starts no client, and the other’s worktree stays', async () => {
    const marker = join(tmpdir(), `guard-setup-${randomUUID()}`);
    onTestFinished(() => rmSync(marker, { force: true }));
    const setup = `[ -e ${marker} ] || { echo > ${marker}; exec sleep 600; }`;
    const slow = { category: 'worker', prompt: 'x', worktree: { setup } };
    const at = committed({ files: LINES, roles: { slow } });
    const { digest } = at.guard('role', 'approve', 'slow', '--json').json() as { digest: string };
    at.guard('role', 'approve', 'slow', '--digest', digest);
    const steps = ['say One.', waitFor(at.at.path('more')), 'sh echo x > x', `result ${report('one')}`];
    const id = at.draft('slow', steps);
    await until(() => existsSync(marker) && at.list()[0]?.doing?.startsWith('setup: [ -e') === true, 20_000);
    const first = at.supervisor(id);
    stop(first);
    lookLater(at);
    await wakeBeside(at, id, first, 1);
    writeFileSync(at.at.path('more'), '');
    const told = at.await(id);
    expect(told).toMatchObject({
      status: 'completed',
      result: { summary: 'one' },
      worktree: { changed: ['x'] },
    });
    expect(at.at.log('exit')).toHaveLength(1);
    expect(at.at.log('draft').filter(({ phase }) => phase === 'run')).toHaveLength(1);
  }, 90_000);
});

describe('an agent of another machine that nobody hears of any more', () => {
  it.each([{}, { is_unfinished: true } as const])(
    'is ended, and its worktree %j, which is on the other disk, stays recorded',
    (more) => {
      const at = committed({ files: LINES });
      const other = at.at.sleeper();
      const mark = { ...markOf(other.pid), machine: 'another' };
      leftRunning(at, mark, mark);
      const space = openHarness(locateRepo(at.at.root), at.at.env);
      const worktree = {
        dir: join(at.at.root, 'w'),
        branch: 'guard/w',
        base: at.at.git('rev-parse', 'HEAD').trim(),
      };
      const made = { ...worktree, ...{ changed: null, commits: 0, kept: true }, ...more };
      space.run({ type: 'draft', phase: 'run', who: whoOf(ID, SESSION), client: mark, worktree: made });
      lookLater(at);
      expect(draftOf(space, ID)).toMatchObject({ status: 'failed', worktree: made });
      space.close();
    },
  );
});
