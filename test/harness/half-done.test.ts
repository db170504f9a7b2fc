/** An agent that was taken out of the queue, and could be neither started nor put back, because the disk was full. */
import { expect, it, onTestFinished } from 'vitest';
import { messageAgent } from '../../src/harness/message-agent.ts';
import { reconcile } from '../../src/harness/reconcile.ts';
import { draftOf, type HarnessWorkspace, openHarness, whoOf } from '../../src/harness/workspace.ts';
import { locateRepo } from '../../src/repo/locate.ts';
import { GuardError } from '../../src/core/error.ts';
import { harness } from './harness.ts';

it('is started at the next look of the process that took it, though that lives on', () => {
  const at = harness();
  const id = at.draft('dev', ['result One.']);
  expect(at.await(id).message).toBe('One.');
  const space = openHarness(locateRepo(at.at.root), { ...at.at.env, ...at.env });
  onTestFinished(() => space.close());
  const full: HarnessWorkspace = {
    ...space,
    tasks: {
      ...space.tasks,
      put() {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    },
    run(event) {
      if ('phase' in event && event.phase === 'requeue') throw new GuardError('GUARD_ERR_FULL', 'x', 'y', {});
      return space.run(event);
    },
  };
  messageAgent(full, whoOf('me', ''), id, 'result Two.');
  expect(draftOf(space, id)).toMatchObject({ status: 'starting', queued: { is_claimed: true } });
  reconcile(space);
  expect(at.await(id)).toMatchObject({ status: 'completed', message: 'Two.' });
});
