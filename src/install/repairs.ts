/**
 * What `guard doctor --fix` does, and nothing else: rewrites guard's own entries as `guard init` would, and repairs the
 * mode of our own state directory and the tail and the index of the ledger. Files with other faults are left to their owner
 * (decision 033).
 */
import { chmodSync } from 'node:fs';
import { unlessRefused } from '../core/attempt.ts';
import { ownPlace } from '../repo/clones.ts';
import { applyInstall } from './apply.ts';
import type { CheckResult, Patient } from './check.ts';
import { forgetClones } from './checks/shared-ledger.ts';
import { mendLedger } from './checks/ledger.ts';
import { installFacts } from './facts.ts';
import { isOursButOpen } from './kept-state.ts';
import { planInstall } from './plan.ts';

export interface Repaired {
  /** What was done, one line each. */
  readonly done: readonly string[];
  /** What could not be done, and why. */
  readonly failed: readonly string[];
}

/** @param quarantine whether a person explicitly gave up damaged records */
export function repair(patient: Patient, results: readonly CheckResult[], quarantine: boolean): Repaired {
  const wrong = new Set(results.filter(({ fixable }) => fixable).map(({ id }) => id));
  const isLedgerWrong = results.some(({ id, status }) => id === 'ledger' && status === 'fail');
  if (quarantine && isLedgerWrong) wrong.add('ledger');
  const attempts = REPAIRS.filter(({ of }) => of.some((id) => wrong.has(id))).map(({ run }) =>
    attempt(run, patient, quarantine),
  );
  return { done: attempts.flatMap(({ done }) => done), failed: attempts.flatMap(({ failed }) => failed) };
}

const attempt = (run: Repair['run'], patient: Patient, quarantine: boolean): Repaired =>
  unlessRefused<Repaired>(
    () => ({ done: run(patient, quarantine), failed: [] }),
    ({ message }) => ({ done: [], failed: [message] }),
  );

interface Repair {
  /** Ids of the checks whose findings it repairs. */
  readonly of: readonly string[];
  readonly run: (patient: Patient, quarantine: boolean) => readonly string[];
}

const REPAIRS: readonly Repair[] = [
  { of: ['state_dir'], run: closeStateDir },
  { of: ['ledger'], run: mendLedger },
  { of: ['shared_ledger'], run: forgetClones },
  { of: ['hooks', 'fail_closed', 'timeouts', 'committed', 'permissions'], run: initAgain },
];

function closeStateDir({ repo }: Patient): readonly string[] {
  if (!isOursButOpen(repo)) return [];
  chmodSync(repo.state_dir, 0o700);
  return [`made ${repo.state_dir} private (mode 700)`];
}

function initAgain({ repo: here, env, guard_root, client, now }: Patient): readonly string[] {
  const repo = ownPlace(here);
  const plan = planInstall(installFacts({ scope: null, preset: null }, { repo, env, guard_root, client }));
  if (plan.is_done) return [];
  applyInstall(plan, { repo, ledger_dir: here.state_dir, env, scope: plan.scope, now });
  return [`wrote guard's entries again (scope ${plan.scope})`];
}
