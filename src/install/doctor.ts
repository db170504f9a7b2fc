/** Runs every check. A check that throws has failed; the others still run. */
import { isGuardError } from '../core/error.ts';
import { readNow } from '../repo/clock.ts';
import { locateRepo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { type Check, type CheckResult, fail, type Patient } from './check.ts';
import { checksFor } from './checks.ts';
import { findClient } from './client.ts';
import { guardRoot } from './guard-root.ts';
import { recordedRoot } from './program/home.ts';
import { seenSettings } from './settings-seen.ts';

/** Does not ask the server of a shared ledger; callers that can wait do (`findEngine`). */
export function examine(cwd: string, env: Environment): Patient {
  const repo = locateRepo(cwd, env);
  const base = {
    cwd,
    env,
    repo,
    now: readNow(),
    guard_root: recordedRoot(guardRoot(), env),
    client: findClient(env),
    engine: null,
    codex: null,
  };
  return { ...base, settings: seenSettings(repo.root, env) };
}

export function runChecks(
  patient: Patient,
  checks: readonly Check[] = checksFor(patient),
): readonly CheckResult[] {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const found = resultsOf(check, patient, results);
    results.push(...found.filter((result) => !isExplained(result, results)));
  }
  return results;
}

/** Every check that reads one of these fails if it is unusable: report the cause once, with one remedy. */
const CAUSES: Readonly<Record<string, string>> = {
  GUARD_ERR_STATE_DIR: 'state_dir',
  GUARD_ERR_CONFIG: 'config',
};

function isExplained({ status, facts, message }: CheckResult, before: readonly CheckResult[]): boolean {
  const { code } = facts;
  const cause = status === 'fail' && typeof code === 'string' ? CAUSES[code] : undefined;
  return before.some(
    (one) =>
      one.id === cause &&
      one.status === 'fail' &&
      (code === 'GUARD_ERR_STATE_DIR' || one.message === message),
  );
}

function resultsOf(check: Check, patient: Patient, before: readonly CheckResult[]): readonly CheckResult[] {
  try {
    return check.run(patient, before);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = isGuardError(error) ? error.hint : 'This check itself failed: please report it.';
    const code = isGuardError(error) ? error.code : 'GUARD_ERR_INTERNAL';
    return [{ id: check.id, ...fail(message, { hint, facts: { code } }) }];
  }
}

export const isHealthy = (results: readonly CheckResult[]): boolean =>
  results.every(({ status }) => status !== 'fail');
