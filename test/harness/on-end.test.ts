/** The user's own program is called for every end, even if the process that recorded the end died before it could. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessMark } from '../../src/core/types.ts';
import { agentFiles } from '../../src/harness/agent-files.ts';
import { killAgent } from '../../src/harness/kill.ts';
import { reconcile } from '../../src/harness/reconcile.ts';
import { draftOf, type HarnessWorkspace, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { harness, type Harness, until } from './harness.ts';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { ENDING, endLeft, ID, leftRunning, markOf, SESSION } from './left.ts';

/** One that has ended since, and whose pid no one else has yet. */
function deadMark(): ProcessMark {
  const { pid } = spawnSync('true');
  return { ...markOf(process.pid), pid, start: '1' };
}

function setUp(supervisor = markOf(process.pid)) {
  const at = harness();
  at.at.put(
    `${at.at.home}/.config/guard/config.json`,
    JSON.stringify({ on_end: ['/bin/sh', '-c', 'echo "$GUARD_ENDED_STATUS" >> "$HOME/told"'] }),
  );
  leftRunning(at, supervisor, supervisor);
  const space = openHarness(locateRepo(at.at.root), at.at.env);
  mkdirSync(join(space.repo.state_dir, 'agents'), { recursive: true });
  onTestFinished(() => space.close());
  return { at, space };
}

/** What it has written, once it has. */
async function calls({ at }: Harness): Promise<string> {
  const file = join(at.home, 'told');
  const said = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  await until(() => said().endsWith('\n'), 20_000);
  return said();
}

/** How many were started: guard notes each at once. */
function started({ at }: Harness): number {
  const file = join(at.state, 'agents/told.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

/** Another one, which waits for the first. */
function queued(space: HarnessWorkspace): string {
  const session = '22222222-2222-4333-8444-555555555555';
  const agent = whoOf(`claude-${session}`, session);
  space.run({
    ...({ type: 'draft', phase: 'begin', who: whoOf('claude-before', 'before'), agent } as const),
    ...({ role: 'dev', category: 'worker', access: 'readonly', task: 'left' } as const),
    ...{ limits: DEFAULT_LIMITS, bounds: DEFAULT_BOUNDS, drafter: markOf(process.pid) },
    queue: { after: [ID], anyway: false, priority: 0 },
  });
  return agent.id;
}

/** Records the end and dies. */
const endAndDie = (space: HarnessWorkspace, on_end_by: ProcessMark): unknown =>
  space.run({ type: 'draft', phase: 'exit', who: whoOf(ID, SESSION), ...ENDING, on_end_by });

describe('the program of the user', () => {
  it('is called once for an end that was recorded and told, however often others look', async () => {
    const { at, space } = setUp();
    endLeft(space);
    reconcile(space);
    reconcile(space);
    expect(started(at)).toBe(1);
    expect(await calls(at)).toBe('killed\n');
    expect(draftOf(space, ID)?.on_end_by).toBeNull();
  });

  it('is called by whoever looks next if the process that recorded the end died before it could', async () => {
    const { at, space } = setUp();
    endAndDie(space, deadMark());
    const late = draftOf(space, ID);
    reconcile(space);
    // Another process read the record before the first one took it over.
    reconcile(space, late === null ? [] : [late]);
    reconcile(space);
    expect(started(at)).toBe(1);
    expect(await calls(at)).toBe('killed\n');
  });

  it('is called if the process that recorded the end learns that only at its second attempt', () => {
    const { at, space } = setUp();
    let isLost = true;
    const run: HarnessWorkspace['run'] = (event) => {
      const told = space.run(event);
      if (!isLost || !('phase' in event) || event.phase !== 'exit') return told;
      isLost = false;
      throw new Error('the connection was lost');
    };
    const cut = { ...space, run };
    expect(() => endLeft(cut)).toThrow('connection');
    expect(started(at)).toBe(0);
    endLeft(cut);
    expect(started(at)).toBe(1);
    expect(draftOf(space, ID)?.on_end_by).toBeNull();
  });

  it('is not called again by a process whose request to end a queued agent came second', async () => {
    const { at, space } = setUp();
    const by = whoOf('me', '');
    const id = queued(space);
    const run: HarnessWorkspace['run'] = (event) => {
      if ('phase' in event && event.phase === 'kill') space.run({ ...event, on_end_by: null });
      return space.run(event);
    };
    await killAgent({ ...space, run }, by, id, 'x');
    expect(draftOf(space, id)?.status).toBe('killed');
    expect(started(at)).toBe(0);
  });

  it('does not keep an end from being recorded while the configuration cannot be read, and is called after that', () => {
    const { at, space } = setUp();
    const config = `${at.at.home}/.config/guard/config.json`;
    const right = readFileSync(config, 'utf8');
    at.at.put(config, '{ "on_end": ');
    endLeft(space);
    expect(draftOf(space, ID)?.status).toBe('killed');
    reconcile(space);
    at.at.put(config, right);
    const { on_end_by } = draftOf(space, ID) ?? {};
    expect(on_end_by).toMatchObject({ pid: process.pid });
    const gone = space.facts().isDead;
    const facts = () => ({
      ...space.facts(),
      isDead: (mark: ProcessMark) => mark.pid === process.pid || gone(mark),
    });
    reconcile({ ...space, facts });
    expect(started(at)).toBe(1);
  });

  it.each([
    ['that is about to call it', {}],
    ['of another machine, whose user is another', { machine: 'another' }],
  ])('is left to a process %s', (_, differs) => {
    const { at, space } = setUp();
    endAndDie(space, { ...markOf(process.pid), ...differs });
    reconcile(space);
    expect(started(at)).toBe(0);
  });

  it('is left to the account whose process recorded the end', () => {
    const { at, space } = setUp();
    endAndDie(space, { ...deadMark(), uid: 987_654 } as ProcessMark);
    reconcile(space);
    expect(started(at)).toBe(0);
  });
});

describe('an agent whose supervisor died hours ago', () => {
  it('has used up only the time in which it was at work', () => {
    const { space } = setUp(deadMark());
    const { dir, log } = agentFiles(space.repo.state_dir, SESSION);
    mkdirSync(dir, { recursive: true });
    writeFileSync(log, '');
    const long_ago_s = Date.now() / 1000 - 3_600;
    utimesSync(log, long_ago_s, long_ago_s);
    reconcile(space);
    expect(draftOf(space, ID)).toMatchObject({ status: 'failed', ran_ms: 0 });
  });
});
