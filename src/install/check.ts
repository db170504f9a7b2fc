/**
 * What `guard doctor` checks. A check is one file in checks/; it looks, and changes nothing. What can be put right
 * safely has a `repair` (repairs.ts), run only by `guard doctor --fix`.
 */
import type { Now } from '../core/types.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { Client } from './client.ts';
import type { SettingsSeen } from './settings-seen.ts';

export interface CheckFacts {
  readonly [name: string]: string | number | boolean | null | readonly string[];
}

export interface CheckResult {
  readonly id: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly facts: CheckFacts;
  /** What to do; empty when there is nothing to do. */
  readonly hint: string;
  /** `guard doctor --fix` does it. */
  readonly fixable: boolean;
}

/** What the checks look at, read once. */
export interface Patient {
  readonly cwd: string;
  readonly env: Environment;
  readonly now: Now;
  readonly repo: Repo;
  readonly guard_root: string;
  readonly client: Client;
  /** Every settings file that a session here would read, the broken ones too. */
  readonly settings: readonly SettingsSeen[];
}

export interface Check {
  readonly id: string;
  /**
   * Several results where several things can be wrong. Throwing is a failed check too.
   * @param before what the checks before this one found
   */
  readonly run: (patient: Patient, before: readonly CheckResult[]) => readonly CheckResult[];
}

type Details = Partial<Pick<CheckResult, 'facts' | 'hint' | 'fixable'>>;

const result =
  (status: CheckResult['status']) =>
  (id: string, message: string, details: Details = {}): CheckResult => ({
    id,
    status,
    message,
    facts: details.facts ?? {},
    hint: details.hint ?? '',
    fixable: details.fixable ?? false,
  });

export const ok = result('ok');
export const warn = result('warn');
export const fail = result('fail');
