/**
 * What `guard doctor` checks. A check is one file in checks/; it looks, and changes nothing. Whatever can be fixed safely
 * has a `repair` (repairs.ts), which only `guard doctor --fix` runs.
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
  /** What to do; empty if there is nothing to do. */
  readonly hint: string;
  /** Whether `guard doctor --fix` can fix it. */
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
  /** `null` if the ledger is not shared, or its server was not asked. */
  readonly engine: EngineFound;
  /** `null` if not asked, or without an answer. */
  readonly codex: CodexTrust;
  /** Every settings file that a session here would read, including broken ones. */
  readonly settings: readonly SettingsSeen[];
  /** Called with how much of the ledger has been read. */
  readonly onRead?: OnRead;
}

export interface Check {
  readonly id: string;
  /** @param before results of the checks before this one */
  readonly run: (patient: Patient, before: readonly CheckResult[]) => readonly CheckResult[];
}

/** The result of a check without its id, which `checking` adds. */
export type Finding = Omit<CheckResult, 'id'>;

/** @param look returns one finding or several; if it throws, the check fails, too */
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

/** Turns guard's own refusal into a failed finding. */
export const refused = ({ message, code, hint }: GuardError): Finding =>
  fail(message, { facts: { code }, hint });
