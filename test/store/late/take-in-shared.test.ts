/** Ends that could not reach a shared ledger: taken in once, before the next commit of their machine. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { workspaceAround } from '../../../src/cli/workspace.ts';
import { agentKey, pathKey } from '../../../src/core/keys.ts';
import { asAgentState, asPathState } from '../../../src/core/states.ts';
import type { Workspace } from '../../../src/workspace/workspace.ts';
import type { Scratch } from '../../claude/driver.ts';
import { ownCluster, two } from '../../cli/two-machines.ts';
import { haltCluster, startAgain } from '../postgres/cluster.ts';
import { hasPostgres } from '../postgres/programs.ts';
import { present } from './on-ledger.ts';
import { writeOf } from './writing.ts';

function opened({ root, env }: Scratch, lock_deadline_ms = 2_000): Workspace {
  const space = workspaceAround({ cwd: root, env }, [], { lock_deadline_ms });
  onTestFinished(() => space.close());
  return space;
}

const errorOf = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

const WRITE = writeOf({ agent: 'a', op: 'op-1', path: 'a.txt' });
/** An approved write, whose agent holds the file. */
function begin({ run, store }: Workspace): void {
  const { who } = WRITE.end;
  const lock = { paths: ['a.txt'], mode: 'exclusive', ttl_ms: null, all: false } as const;
  run({ type: 'lock.acquire', who, ...lock, wait_until_mono_ms: null });
  const key = pathKey('a.txt');
  const begun = run(WRITE.begin(asPathState(store.look([key]).get(key)).touched));
  expect(begun).toEqual({ verdict: 'approved' });
}

const writes = ({ store }: Workspace) => [...store.scan()].filter(({ type }) => type === 'write');

describe.skipIf(!hasPostgres())('the end of a write, told while the engine is away', () => {
  test('is kept, says so, and goes on record once, on whichever ledger is asked', async () => {
    const cluster = await ownCluster();
    const [a, b] = two(cluster);
    const [here, there] = [opened(a), opened(b)];
    begin(here);
    await haltCluster(cluster);
    const late = `${a.state}/late`;
    // From what this machine keeps of the ledger.
    expect(here.run(WRITE.end)).toMatchObject([{ path: 'a.txt', unapproved: false, repeated: false }]);
    const file = `${late}/${readdirSync(late)[0] ?? ''}`;
    copyFileSync(file, `${a.state}/kept`);
    const name = file.slice(late.length + 1);
    await startAgain(cluster);

    // Another machine does not take it in.
    there.run(present('b'));
    expect(writes(there)).toEqual([]);
    opened(a).run(present('c'));
    expect(existsSync(late)).toBe(false);
    expect(writes(there)).toMatchObject([
      { path: 'a.txt', op: 'op-1', happened_at: expect.any(String) as string },
    ]);
    const key = pathKey('a.txt');
    expect(asPathState(there.store.look([key]).get(key))).toMatchObject({
      intent: null,
      last_write: { agent: 'a' },
    });
    const agent = agentKey('a');
    expect(asAgentState(there.store.look([agent]).get(agent))?.op).toBeNull();

    // As if its process had died between the commit and the removal of the file.
    mkdirSync(late, { mode: 0o700 });
    renameSync(`${a.state}/kept`, `${late}/${name}`);
    opened(a).run(present('d'));
    expect(existsSync(late)).toBe(false);
    expect(writes(there)).toHaveLength(1);
  });

  test('of another ledger is put aside, and ends nothing in this one', async () => {
    const cluster = await ownCluster();
    const [a, b] = [two(cluster), two(cluster)].map(([one]) => one) as [Scratch, Scratch];
    const [one, other] = [opened(a), opened(b)];
    begin(one);
    begin(other);
    await haltCluster(cluster);
    errorOf(() => one.run(WRITE.end));
    await startAgain(cluster);
    renameSync(`${a.state}/late`, `${b.state}/late`);
    other.run(present('c'));
    expect(writes(other)).toEqual([]);
    expect(readdirSync(`${b.state}/late-unread`)).toHaveLength(1);
  });
});
