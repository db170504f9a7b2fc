/** The table of checks, and which of them apply here. */
import type { Check, Patient } from './check.ts';
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
import { hosts } from './checks/hosts.ts';
import { homes } from './checks/homes.ts';
import { gitHook, pushHook } from './checks/git-hook.ts';
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
import { tasks } from './checks/tasks.ts';
import { timeouts } from './checks/timeouts.ts';
import { warmHooks } from './checks/warm.ts';
import { guardSources } from './hook-sources.ts';
import { hostsSetUp } from './hosts/set-up.ts';

/** In order of dependency: a failure explains those after it. */
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
  config,
  contents,
  settings,
  disabled,
  hooks,
  failsClosed,
  timeouts,
  warmHooks,
  committed,
  gitHook,
  pushHook,
  duplicates,
  permissions,
  startDirectory,
  environment,
  fence,
  mods,
  mcpServers,
  hosts,
  otherClients,
  roles,
  tasks,
  off,
  live,
  clientLife,
];

/** If only other clients are set up, nothing about Claude Code has to be right. */
export const checksFor = (patient: Patient): readonly Check[] =>
  guardSources(patient).length > 0 || hostsSetUp(patient).length === 0
    ? CHECKS
    : CHECKS.filter(({ id }) => !OF_CLAUDE_CODE.includes(id));

const OF_CLAUDE_CODE = 'client hooks fail_closed timeouts committed permissions live client_life'.split(' ');
