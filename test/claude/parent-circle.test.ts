/** A parent in the Agent tool waits for its subagent: a cycle through it is found, and its victim can end it. */
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch, type Session, working } from './driver.ts';

const FILES = { 'x.txt': 'one\n', 'y.txt': 'one\n' };

async function until(check: () => boolean): Promise<void> {
  for (let n = 0; n < 200 && !check(); n++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(check()).toBe(true);
}

interface Told {
  readonly all_acquired: boolean;
  readonly notes?: readonly string[];
  readonly results: readonly { readonly error?: string }[];
}

const waitFor = (agent: Session, file: string) =>
  agent.scratch.startGuard(agent.env, 'lock', 'wait', agent.scratch.path(file), '--timeout', '30s', '--json');
const told = (stdout: string): Told => JSON.parse(stdout) as Told;

/** The parent holds x and runs its subagent in the foreground; the other session holds y and waits for x. */
async function open(wish: Readonly<Record<string, unknown>> = { run_in_background: false }) {
  const at = scratch({ files: FILES });
  const [parent, other] = [working(at), working(at)];
  parent.lock('x.txt');
  other.lock('y.txt');
  const call = parent.call('Agent', {
    description: 'd',
    prompt: 'p',
    subagent_type: 'general-purpose',
    ...wish,
  });
  expect(parent.pre(call).exit).toBe(0);
  const child = parent.subagent('k1');
  expect(child.fire('SubagentStart').exit).toBe(0);
  const otherWaits = waitFor(other, 'x.txt');
  await until(() => at.log('wait').length > 0);
  return { at, parent, other, child, call, otherWaits };
}

const circles = (at: Scratch) =>
  (at.guard('deadlock', '--certain', '--json').json() as { cycles: readonly object[] }).cycles;

describe('parent, foreground subagent, other session', () => {
  it('the subagent is told at once, obeys the one line it was given, and everybody goes on', async () => {
    const { at, parent, other, child, otherWaits } = await open();
    expect(at.guard('deadlock').stdout).toMatch(/waits for +its subagent/);
    const mine = child.guard('lock', 'wait', at.path('y.txt'), '--timeout', '30s', '--json');
    expect(mine.took_ms).toBeLessThan(20_000);
    const [note = ''] = told(mine.stdout).notes ?? [];
    expect(told(mine.stdout).results).toMatchObject([
      { error: 'DEADLOCK', deadlock: { victim: child.name } },
    ]);
    expect(note).toContain(`${parent.name} waits for its subagent ${child.name}`);
    expect(circles(at)).toMatchObject([{ kind: 'deadlock', state: 'told', victim: child.name }]);
    const line = /Run: (.*)$/.exec(note)?.[1] ?? '';
    expect(child.bash(line).exit).toBe(0);
    expect(told((await otherWaits.done).stdout).all_acquired).toBe(true);
    expect(circles(at)).toEqual([]);
    other.guard('lock', 'release', '--all-held');
    expect(child.guard('lock', 'wait', at.path('y.txt'), '--timeout', '5s').exit).toBe(0);
  });

  it('a stubborn subagent loses the lock of its parent at its second wait, and the parent is told', async () => {
    const { at, parent, child, otherWaits } = await open();
    const again = () =>
      told(child.guard('lock', 'wait', at.path('y.txt'), '--timeout', '30s', '--json').stdout);
    const [first, second] = [again(), again()];
    expect([first.results[0]?.error, second.results[0]?.error]).toEqual(['DEADLOCK', 'DEADLOCK']);
    expect(second.notes?.[0]).toContain(`the lock of ${parent.name} on x.txt has ended`);
    expect(second.notes?.[0]?.length).toBeLessThan(200);
    expect(told((await otherWaits.done).stdout).all_acquired).toBe(true);
    expect(at.log('revoke')).toMatchObject([{ agent: parent.name, path: 'x.txt', cause: 'deadlock' }]);
  });

  it('are none when the client ran the subagent in the background after all', async () => {
    const { at, parent, child, call, otherWaits } = await open({});
    parent.post(call, { isAsync: true, status: 'async_launched', agentId: 'k1' });
    const mine = child.guard('lock', 'wait', at.path('y.txt'), '--timeout', '1s', '--json');
    expect(told(mine.stdout).results).toMatchObject([{ error: 'timeout' }]);
    expect([circles(at), at.log('deadlock')]).toEqual([[], []]);
    otherWaits.signal('SIGINT');
    await otherWaits.done;
  });
});
