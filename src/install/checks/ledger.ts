import { existsSync } from 'node:fs';
import { readNow } from '../../repo/clock.ts';
import { repairLedger } from '../../store/embedded/repair.ts';
import { verifyLedger } from '../../store/embedded/verify.ts';
import type { Problem } from '../../store/embedded/verify.ts';
import { repairOf } from '../../store/embedded/verify-report.ts';
import type { Repair } from '../../store/embedded/verify-report.ts';
import { fail, ok } from '../check.ts';
import type { Check, Patient } from '../check.ts';

/** Whatever else is wrong means that records are damaged or gone: nothing mends that without losing them. */
const MENDABLE: readonly Problem['kind'][] = ['index_differs', 'bad_checkpoint', 'unsafe_file'];

/** Reads every record: every checksum, the chain, and the index against them. */
export const ledger: Check = {
  id: 'ledger',
  run: ({ repo }) => {
    if (!existsSync(repo.state_dir)) return [];
    const { ok: whole, records, segments, problems } = verifyLedger(repo.state_dir);
    const facts = { records, segments: segments.length, problems: problems.map(spelled) };
    if (whole) return [ok('ledger', `The ledger is whole: ${records} records`, { facts })];
    const fixable = problems.some(({ kind }) => MENDABLE.includes(kind));
    const hint = HINTS[repairOf(problems)];
    return [fail('ledger', `The ledger is damaged: ${facts.problems.join('; ')}`, { facts, hint, fixable })];
  },
};

const HINTS: Readonly<Record<Repair, string>> = {
  fix: 'Run: guard doctor --fix',
  quarantine:
    'Writes are denied until this is settled. To go on without the damaged records (they are kept aside): guard doctor --fix --quarantine',
  init: 'Writes are denied until a person adopts this copy. Its locks end, history and messages stay. Run: guard init',
  update: 'Update guard on this machine.',
};

const spelled = ({ kind, file, offset, reason }: Problem): string =>
  `${kind} in ${file}${offset === undefined ? '' : ` at byte ${offset}`}${reason === undefined ? '' : ` (${reason})`}`;

/** @param quarantine give up damaged records; a person asked for that by name */
export function mendLedger({ repo }: Pick<Patient, 'repo'>, quarantine: boolean): readonly string[] {
  const { actions } = repairLedger(repo.state_dir, { now: readNow, quarantine });
  return actions.filter(({ kind }) => kind !== 'opened').map(({ kind, file }) => `ledger: ${kind} (${file})`);
}
