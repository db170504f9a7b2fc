/** Runs every check. A check that throws is a failed check: the others still run. */
import { isGuardError } from '../core/error.ts';
import { readNow } from '../repo/clock.ts';
import { locateRepo } from '../repo/locate.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { type Check, type CheckResult, fail, type Patient } from './check.ts';
import { client } from './checks/client.ts';
import { clientLife } from './checks/client-life.ts';
import { committed } from './checks/committed.ts';
import { config } from './checks/config.ts';
import { disabled } from './checks/disabled.ts';
import { contents } from './checks/contents.ts';
import { disk } from './checks/disk.ts';
import { duplicates } from './checks/duplicates.ts';
import { engine } from './checks/engine.ts';
import { environment } from './checks/environment.ts';
import { failsClosed } from './checks/fail-closed.ts';
import { fence } from './checks/fence.ts';
import { flock } from './checks/flock.ts';
import { homes } from './checks/homes.ts';
import { gitHook } from './checks/git-hook.ts';
import { hooks } from './checks/hooks.ts';
import { late } from './checks/late.ts';
import { ledger } from './checks/ledger.ts';
import { live } from './checks/live.ts';
import { mcpServers } from './checks/mcp-servers.ts';
import { mods } from './checks/mods.ts';
import { native } from './checks/native.ts';
import { program } from './checks/program.ts';
import { node } from './checks/node.ts';
import { off } from './checks/off.ts';
import { otherClients } from './checks/other-hosts.ts';
import { permissions } from './checks/permissions.ts';
import { roles } from './checks/roles.ts';
import { settings } from './checks/settings.ts';
import { sharedLedger } from './checks/shared-ledger.ts';
import { startDirectory } from './checks/start-directory.ts';
import { stateDir } from './checks/state-dir.ts';
import { timeouts } from './checks/timeouts.ts';
import { warmHooks } from './checks/warm.ts';
import { findClient } from './client.ts';
import { guardRoot } from './guard-root.ts';
import { recordedRoot } from './program/home.ts';
import { seenSettings } from './settings-seen.ts';

/** From the ground up: a failure explains those below it. */
export const CHECKS: readonly Check[] = [
  node,
  client,
  flock,
  native,
  program,
  homes,
  stateDir,
  disk,
  ledger,
  sharedLedger,
  engine,
  late,
  contents,
  config,
  settings,
  disabled,
  hooks,
  failsClosed,
  timeouts,
  warmHooks,
  committed,
  gitHook,
  duplicates,
  permissions,
  startDirectory,
  environment,
  fence,
  mods,
  mcpServers,
  otherClients,
  roles,
  off,
  live,
  clientLife,
];

/** The server of a shared ledger is asked by whoever can wait (`findEngine`). */
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
  };
  return { ...base, settings: seenSettings(repo.root, env) };
}

export function runChecks(patient: Patient, checks: readonly Check[] = CHECKS): readonly CheckResult[] {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const found = resultsOf(check, patient, results);
    results.push(...found.filter((result) => !isExplained(result, results)));
  }
  return results;
}

/** Without a state directory to believe, nothing that reads it works: one cause, one line, one cure. */
const isExplained = ({ status, facts }: CheckResult, before: readonly CheckResult[]): boolean =>
  status === 'fail' &&
  facts['code'] === 'GUARD_ERR_STATE_DIR' &&
  before.some(({ id, status: earlier }) => id === 'state_dir' && earlier === 'fail');

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
