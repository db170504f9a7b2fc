/**
 * What `guard doctor` checks. A check is one file in checks/; it looks, and changes nothing. What can be put right
 * safely has a `repair` (repairs.ts), run only by `guard doctor --fix`.
 */
import type { GuardError } from '../core/error.ts';
import type { Now } from '../core/types.ts';
import type { OnRead } from '../store/upkeep.ts';
import type { Repo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { Client } from './client.ts';
import type { CodexTrust } from './hosts/codex-trust.ts';
import type { EngineFound } from './seen-engine.ts';
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
  /** Null: the ledger is not shared, or nobody asked its server. */
  readonly engine: EngineFound;
  /** Null: not asked, or no answer. */
  readonly codex: CodexTrust;
  /** Every settings file that a session here would read, the broken ones too. */
  readonly settings: readonly SettingsSeen[];
  /** Hears how much of the ledger has been read. */
  readonly onRead?: OnRead;
}

export interface Check {
  readonly id: string;
  /** @param before what the checks before this one found */
  readonly run: (patient: Patient, before: readonly CheckResult[]) => readonly CheckResult[];
}

/** What a check says; its name is put on by `checking`. */
export type Finding = Omit<CheckResult, 'id'>;

/** @param look answers with one finding or several; throwing is a failed check too */
export const checking = (
  id: string,
  look: (patient: Patient, before: readonly CheckResult[]) => Finding | readonly Finding[],
): Check => ({
  id,
  run: (patient, before) => [look(patient, before)].flat().map((found) => ({ id, ...found })),
});

type Details = Partial<Pick<CheckResult, 'facts' | 'hint' | 'fixable'>>;

const found =
  (status: CheckResult['status']) =>
  (message: string, { facts = {}, hint = '', fixable = false }: Details = {}): Finding => ({
    status,
    message,
    facts,
    hint,
    fixable,
  });

export const ok = found('ok');
export const warn = found('warn');
export const fail = found('fail');

/** What guard refuses to go on with, as it says it. */
export const refused = ({ message, code, hint }: GuardError): Finding =>
  fail(message, { facts: { code }, hint });
