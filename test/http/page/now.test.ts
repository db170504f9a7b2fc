import { expect, it } from 'vitest';
import { openHistory } from '../../../src/history/history.ts';
import type { Past } from '../../../src/history/past.ts';
import { nowOf } from '../../../src/http/page/now.ts';
import { openWaiters } from '../../../src/locks/waiters.ts';
import { scratch } from '../../claude/driver.ts';
import { stageIn } from '../../page/stage.ts';
import { recordAt } from '../../history/records.ts';

const AROUND = { signal: new AbortController().signal, release: () => '', waiters: openWaiters() };

it('the present is shown while a long ledger is still being read, and the history once it has been', async () => {
  const stage = stageIn(scratch());
  stage.lock('ann', 'src/a.ts');
  const history = openHistory();
  history.take(recordAt(1, 'hold', {}));
  const never: Past = { current: () => new Promise(() => undefined), reading: () => 0.427 };
  const leases = [{ path: 'src/a.ts', holder: 'ann' }];
  expect(await nowOf(never, stage.space, AROUND)).toMatchObject({
    ...{ read_percent: 42, count: 0, last: null, everybody: [] },
    status: { leases },
  });
  const whole: Past = { current: () => Promise.resolve(history), reading: () => null };
  expect(await nowOf(whole, stage.space, AROUND)).toMatchObject({
    ...{ read_percent: 100, count: 1, status: { leases } },
  });
});
