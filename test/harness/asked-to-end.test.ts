/** Agents that are asked to end, and their supervisors: which processes are hit, which are not, and what they read. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { isAbandoned } from '../../src/harness/reconcile.ts';
import { allDrafts, followDrafts, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { isCertainlyAlive } from '../../src/repo/process.ts';
import { harness, until } from './harness.ts';
import { endLeft, ID, leftRunning, markOf, SESSION } from './left.ts';

describe('an agent that is asked to end', () => {
  it('before its client runs: the process that drafted it is sent no signal', async () => {
    const at = harness();
    const drafter = at.at.sleeper();
    const space = openHarness(locateRepo(at.at.root), at.at.env);
    const agent = { who: whoOf('claude-before', 'before'), agent: whoOf(ID, SESSION) };
    const role = { role: 'dev', category: 'worker', access: 'readonly', task: 'left' } as const;
    const limits = { limits: DEFAULT_LIMITS, bounds: DEFAULT_BOUNDS };
    space.run({
      type: 'draft',
      phase: 'begin',
      ...agent,
      ...role,
      ...limits,
      drafter: markOf(drafter.pid),
    });
    const killing = at.at.startGuard(at.env, 'agent', 'kill', ID, '--json');
    await until(() => at.at.log('draft').some(({ phase }) => phase === 'kill'), 15_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(drafter.signalCode).toBeNull();
    expect(isCertainlyAlive(markOf(drafter.pid))).toBe(true);
    endLeft(space);
    space.close();
    expect((await killing.done).exit).toBe(0);
  });

  it('drafts nobody in the time that it is given', async () => {
    const at = harness();
    const guard = `"${process.execPath}" "${process.cwd()}/bin/guard.cjs"`;
    const id = at.draft('lead', [
      'deaf',
      `sh trap "" TERM; touch ready; for i in 1 2 3 4 5 6; do ${guard} agent draft --role dev hang; sleep 0.2; done`,
    ]);
    await until(() => at.list().length > 1, 15_000);
    expect(at.guard('agent', 'kill', id).exit).toBe(0);
    expect(at.list()).toEqual([]);
    const drafted = at.at.log('draft').filter(({ phase }) => phase !== 'progress');
    const asked = drafted.findIndex(({ phase, agent }) => phase === 'kill' && agent === id);
    expect(asked).toBeGreaterThan(0);
    expect(drafted.slice(asked).some(({ phase }) => phase === 'begin')).toBe(false);
  });
});

describe('a supervisor', () => {
  it('reads of other agents only what is new, and misses nothing', () => {
    const at = harness();
    const other = at.at.sleeper();
    const space = openHarness(locateRepo(at.at.root), at.at.env);
    let reads = 0;
    const { store } = space;
    const counted = {
      ...store,
      still: ((use, options) =>
        store.still?.(
          (engine) =>
            use({
              ...engine,
              look: (...asked) => {
                const look = engine.look(...asked);
                for (const { entries } of look.lists) reads += entries.length;
                return look;
              },
            }),
          options,
        )) as NonNullable<typeof store.still>,
    };
    const drafts = followDrafts({ store: counted });
    expect(drafts()).toEqual([]);
    leftRunning(at, markOf(other.pid), markOf(other.pid));
    expect(drafts()).toEqual(allDrafts(space));
    const before = reads;
    drafts();
    expect(reads).toBe(before);
    endLeft(space);
    expect(drafts()).toMatchObject([{ id: ID, status: 'killed' }]);
    space.close();
  });
});

describe('an agent that ran', () => {
  it('while the machine slept is not taken for lost: its own clock did not go on', () => {
    const at = harness();
    const other = at.at.sleeper();
    leftRunning(at, markOf(other.pid), markOf(other.pid));
    const space = openHarness(locateRepo(at.at.root), at.at.env);
    const [draft] = allDrafts(space);
    const facts = space.facts();
    space.close();
    const hours = 3 * DEFAULT_LIMITS.wall_ms;
    const slept = { ...facts, now: { ...facts.now, wall_ms: facts.now.wall_ms + hours } };
    const worked = { ...facts, now: { ...facts.now, mono_ms: facts.now.mono_ms + hours } };
    expect(draft && isAbandoned(draft, slept)).toBe(false);
    expect(draft && isAbandoned(draft, worked)).toBe(true);
    at.list();
    other.kill('SIGKILL');
  });
});
