/** The user's own program is called for every end, even if the process that recorded the end died before it could. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ProcessMark } from '../../src/core/types.ts';
import { reconcile } from '../../src/harness/reconcile.ts';
import { draftOf, type HarnessWorkspace, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { harness, type Harness, until } from './harness.ts';
import { ENDING, endLeft, ID, leftRunning, markOf, SESSION } from './left.ts';

/** One that has ended since, and whose pid no one else has yet. */
function deadMark(): ProcessMark {
  const { pid } = spawnSync('true');
  return { ...markOf(process.pid), pid, start: '1' };
}

function setUp() {
  const at = harness();
  at.at.put(
    `${at.at.home}/.config/guard/config.json`,
    JSON.stringify({ on_end: ['/bin/sh', '-c', 'echo "$GUARD_ENDED_STATUS" >> "$HOME/told"'] }),
  );
  leftRunning(at, markOf(process.pid), markOf(process.pid));
  const space = openHarness(locateRepo(at.at.root), at.at.env);
  onTestFinished(() => space.close());
  return { at, space };
}

const calls = ({ at }: Harness): string => {
  const file = join(at.home, 'told');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

/** Records the end and dies. */
const endAndDie = (space: HarnessWorkspace, on_end_by: ProcessMark): unknown =>
  space.run({ type: 'draft', phase: 'exit', who: whoOf(ID, SESSION), ...ENDING, on_end_by });

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));

describe('the program of the user', () => {
  it('is called once for an end that was recorded and told, however often others look', async () => {
    const { at, space } = setUp();
    endLeft(space);
    await until(() => calls(at) !== '', 10_000);
    reconcile(space);
    reconcile(space);
    await pause();
    expect(calls(at)).toBe('killed\n');
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
    await until(() => calls(at) !== '', 10_000);
    await pause();
    expect(calls(at)).toBe('killed\n');
  });

  it.each([
    ['that is about to call it', {}],
    ['of another machine, whose user is another', { machine: 'another' }],
  ])('is left to a process %s', async (_, differs) => {
    const { at, space } = setUp();
    endAndDie(space, { ...markOf(process.pid), ...differs });
    reconcile(space);
    await pause();
    expect(calls(at)).toBe('');
  });
});
