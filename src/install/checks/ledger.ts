import { existsSync } from 'node:fs';
import { verifyLedger } from '../../store/embedded/verify.ts';
import { readNow } from '../../repo/clock.ts';
import { openEmbedded } from '../../store/embedded/open.ts';
import { fail, ok } from '../check.ts';
import type { Check, Patient } from '../check.ts';

/** Reads every record: every checksum, the chain, and the index against them. */
export const ledger: Check = {
  id: 'ledger',
  run: ({ repo }) => {
    if (!existsSync(repo.state_dir)) return [];
    const report = verifyLedger(repo.state_dir);
    const facts = { records: report.records, segments: report.segments.length };
    if (report.ok) return [ok('ledger', `The ledger is whole: ${report.records} records`, { facts })];
    const problems = report.problems.map((problem) => JSON.stringify(problem));
    const hint =
      'guard doctor --fix cuts a torn end off (it is kept aside) and makes a new index; more it leaves alone.';
    return [
      fail('ledger', `The ledger is damaged: ${problems.join('; ')}`, {
        facts: { ...facts, problems },
        hint,
        fixable: true,
      }),
    ];
  },
};

/** Taking the lock once is the repair: whoever opens the ledger settles its end and its index. */
export function repairOf({ repo }: Patient): readonly string[] {
  const store = openEmbedded(repo.state_dir, { now: readNow });
  try {
    store.transactSync([], () => ({ records: [], result: null }));
  } finally {
    store.closeSync();
  }
  return [`opened the ledger in ${repo.state_dir}, which settles its end and its index`];
}
