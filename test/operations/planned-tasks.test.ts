/** A plan of which an earlier run replaced some agents, and then died. */
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_BOUNDS, DEFAULT_LIMITS } from '../../src/core/agent-limits.ts';
import { DIED } from '../../src/core/lost.ts';
import type { AgentPlan } from '../../src/harness/plan-file.ts';
import { openHarness, whoOf } from '../../src/harness/workspace.ts';
import { earlierIn } from '../../src/operations/planned-tasks.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { scratch } from '../claude/driver.ts';
import { ENDING, markOf } from '../harness/left.ts';

it('keeps what replaced a lost agent, and replaces what is queued behind the lost one', () => {
  const at = scratch({});
  const space = openHarness(locateRepo(at.root), at.env);
  onTestFinished(() => space.close());
  const draft = (name: string, task: string, after: readonly string[] = []): void =>
    void space.run({
      ...({ type: 'draft', phase: 'begin', who: whoOf('me', ''), agent: whoOf(name, name) } as const),
      ...({ role: 'dev', category: 'worker', access: 'readonly', task: 'left' } as const),
      ...{ limits: DEFAULT_LIMITS, bounds: DEFAULT_BOUNDS, drafter: markOf(process.pid) },
      ...{ queue: { after, anyway: false, priority: 0 }, plan: `night/${task}` },
    });
  draft('lost', 'a');
  draft('behind', 'b', ['lost']);
  space.run({
    ...({ type: 'draft', phase: 'exit', who: whoOf('lost', 'lost') } as const),
    ...{ ...ENDING, status: 'failed', reason: DIED },
  });
  const plan = {
    id: 'night',
    tasks: [
      { id: 'a', after: [] },
      { id: 'b', after: ['a'] },
    ],
  } as unknown as AgentPlan;
  const found = () => [...earlierIn(plan, space as never)];
  expect(found()).toEqual([
    ['a', { how: 'again', agent: 'lost' }],
    ['b', { how: 'again', agent: 'behind' }],
  ]);
  draft('anew', 'a');
  expect(found()).toEqual([
    ['a', { how: 'kept', agent: 'anew' }],
    ['b', { how: 'again', agent: 'behind' }],
  ]);
  space.run({ type: 'draft', phase: 'kill', who: whoOf('me', ''), id: 'behind', reason: 'x' });
  draft('behind-anew', 'b', ['anew']);
  expect(found()).toEqual([
    ['a', { how: 'kept', agent: 'anew' }],
    ['b', { how: 'kept', agent: 'behind-anew' }],
  ]);
});
