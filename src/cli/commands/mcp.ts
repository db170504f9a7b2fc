/** `guard mcp`: guard's tools as an MCP server on standard input and output; started by clients, not by people. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { projectOf } from '../../coordination/desk.ts';
import { releaseCommand } from '../../core/deadlock-words.ts';
import { isShadow } from '../../core/shadow.ts';
import type { LetGo } from '../../core/types.ts';
import { guardVersion } from '../../install/guard-root.ts';
import { openWaiters } from '../../locks/waiters.ts';
import type { Open, ToolSet } from '../../mcp/serve.ts';
import { openClock } from '../../repo/clock.ts';
import { openDeaths } from '../../repo/process.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { act } from '../act.ts';
import type { Who } from '../../core/rules/agent.ts';
import { agentName } from '../agent-id.ts';
import { callerOfCall } from '../tool-caller.ts';
import { EXIT } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { openLedger } from '../ledger.ts';
import type { HarnessOptions } from '../agent/tools.ts';
import type { Ledger } from '../ledger.ts';
import type { Shell } from '../shell.ts';
import { SERVER_SIGNALS, untilStopped } from '../until-stopped.ts';

export function define(command: Command, shell: Shell): void {
  command
    .option(
      '--tools <sets>',
      'locks, coordination, or both, separated by a comma (the default); or harness: the tools that draft agents',
    )
    .option('--agent <id>', 'whose calls these are, where no hook says it (hosts other than Claude Code)')
    .option('--role <name>', 'with --tools harness: for an agent of this role (default: a person)');
  act<HarnessOptions>(command, shell, async ({ options }) => {
    if (options.tools === 'harness') return harness(options, shell);
    const tools = toolSets(options);
    const { serveLocks } = await import('../../mcp/serve.ts');
    const open = opener(shell, options.agent);
    await untilStopped((signal) => serveLocks(open, guardVersion(), signal, tools), SERVER_SIGNALS);
    return EXIT.yes;
  });
}

const SETS: readonly ToolSet[] = ['locks', 'coordination'];

/** @throws GuardError GUARD_ERR_USAGE. The harness tools are a server of their own: one name means two tools. */
function toolSets({ tools, role }: HarnessOptions): readonly ToolSet[] {
  if (role !== undefined)
    throw new GuardError(
      'GUARD_ERR_USAGE',
      '--role is for drafted agents.',
      'guard mcp --tools harness --role NAME',
    );
  const asked = tools?.split(',').map((name) => name.trim()) ?? SETS;
  const wrong = asked.find((name) => !(SETS as readonly string[]).includes(name));
  if (wrong === undefined) return SETS.filter((set) => asked.includes(set));
  throw new GuardError(
    'GUARD_ERR_USAGE',
    `${JSON.stringify(wrong.slice(0, 40))} is no set of tools.`,
    'locks, coordination, or locks,coordination; harness by itself.',
    { tools: wrong.slice(0, 40) },
  );
}

async function harness(options: HarnessOptions, shell: Shell): Promise<ExitCode> {
  const { serveHarness } = await import('../../mcp/serve.ts');
  const { serveTools } = await import('../agent/tools.ts');
  return serveTools(options, shell, serveHarness);
}

/** @throws GuardError GUARD_ERR_USAGE for a name that is not one, or is another session's */
function opener(shell: Shell, fixed: string | undefined): Open {
  if (fixed !== undefined) agentName(fixed, shell.env, () => fixed);
  const opened = { now: openClock(), isDead: openDeaths(), waiters: openWaiters() };
  return (filepaths, { agent, cwd, tool }) => {
    const ledger = openLedger({ ...shell, cwd: cwd ?? shell.cwd }, filepaths, opened);
    try {
      const ofSession = (name?: string): Who => ledger.who(name);
      const { who, is_guess } = callerOfCall(
        { said: agent, tool, fixed, only_looks: false },
        shell.env,
        ofSession,
      );
      return {
        ledger,
        caller: { who, release: (given) => releaseCall(given, ledger) },
        is_guess,
        project: projectOf(ledger, shell.env),
        close: () => ledger.close(),
      };
    } catch (error) {
      ledger.close();
      throw error;
    }
  };
}

/** Ready to be called; a foreign server's own tool where it keeps the lock. */
function releaseCall(given: LetGo, ledger: Ledger): string {
  const { release, reservations = [], leases = release, held_by } = given;
  if (release.some(isShadow)) return releaseCommand(given, 'guard', String);
  const filepaths = leases.map(spelledAt(ledger.repo));
  return [
    ...(held_by === undefined ? [] : [`lock_try ${JSON.stringify({ filepaths })}`]),
    ...(filepaths.length > 0 ? [`lock_release ${JSON.stringify({ filepaths })}`] : []),
    ...(reservations.length > 0
      ? [`release_files ${JSON.stringify({ reservation_ids: reservations })}`]
      : []),
  ].join(held_by === undefined ? ' and ' : ', then ');
}
