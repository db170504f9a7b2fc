/** `guard mcp`: guard's tools as an MCP server on standard input and output; started by clients, not by people. */
import type { Command } from 'commander';
import { releaseLine } from '../../core/deadlock-words.ts';
import { GuardError } from '../../core/error.ts';
import { HARNESS_SERVER } from '../../core/harness-tools.ts';
import { isShadow } from '../../core/shadow.ts';
import type { LetGo } from '../../core/types.ts';
import { guardVersion } from '../../install/guard-root.ts';
import type { ToolSet } from '../../mcp/instructions.ts';
import type { Open, ServedTool } from '../../mcp/serve.ts';
import { openClock } from '../../repo/clock.ts';
import { openDeaths } from '../../repo/process.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { act } from '../act.ts';
import { agentName } from '../agent-id.ts';
import { callerOf } from '../caller.ts';
import { EXIT } from '../exit.ts';
import { workspaceAround, orClosed } from '../workspace.ts';
import type { CallerWorkspace, Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { callerOfCall } from '../tool-caller.ts';
import { SERVER_SIGNALS, untilStopped } from '../until-stopped.ts';
import { openRemembered } from '../../store/open.ts';

interface Options {
  readonly tools?: string;
  readonly role?: string;
  readonly agent?: string;
}

export function define(command: Command, shell: Shell): void {
  command
    .option(
      '--tools <sets>',
      'one or more of locks, coordination and harness (the tools that draft agents), separated by commas (default: locks,coordination)',
    )
    .option('--agent <id>', 'the agent that calls, if no hook names it (hosts other than Claude Code)')
    .option('--role <name>', 'with the harness tools: for an agent of this role (default: a person)');
  act<Options>(command, shell, async ({ options }) => {
    const sets = toolSets(options);
    const mcp = await import('../../mcp/serve.ts');
    const tools = await toolsOf(sets, options, shell);
    const name = sets.some((set) => set !== 'harness') ? 'guard' : HARNESS_SERVER;
    const served = { name, version: guardVersion(), instructions: mcp.instructionsFor(sets), tools };
    await untilStopped((signal) => mcp.serveTools(served, signal), SERVER_SIGNALS);
    return EXIT.yes;
  });
}

/** Tool names are unique: if a server has both kinds of `list_agents`, one of them answers for both. */
async function toolsOf(
  sets: readonly ToolSet[],
  options: Options,
  shell: Shell,
): Promise<readonly ServedTool[]> {
  const mcp = await import('../../mcp/serve.ts');
  const others = sets.filter((set) => set !== 'harness');
  const plain = mcp.servedAt(
    others.flatMap((set) => mcp.TOOLS[set]),
    opener(shell, options.agent),
  );
  if (others.length === sets.length) return plain;
  const { harnessTools, harnessOpener } = await import('../agent/tools.ts');
  const both = sets.includes('coordination') ? mcp.TOOLS.everybody : [];
  const all = [...both, ...mcp.TOOLS.harness.filter(({ name }) => !both.some((one) => one.name === name))];
  const harness = mcp.servedAt(harnessTools(options, shell, all), harnessOpener(options, shell));
  return [...plain.filter(({ name }) => !harness.some((one) => one.name === name)), ...harness];
}

const SETS: readonly ToolSet[] = ['locks', 'coordination', 'harness'];
const USUAL: readonly ToolSet[] = ['locks', 'coordination'];

/** @throws GuardError GUARD_ERR_USAGE */
function toolSets({ tools, role }: Options): readonly ToolSet[] {
  const asked = tools?.split(',').map((name) => name.trim()) ?? USUAL;
  const wrong = asked.find((name) => !(SETS as readonly string[]).includes(name));
  if (wrong !== undefined)
    throw new GuardError(
      'GUARD_ERR_USAGE',
      `Unknown set of tools: ${JSON.stringify(wrong.slice(0, 40))}.`,
      `Choose from ${SETS.join(', ')}, separated by commas.`,
      { tools: wrong.slice(0, 40) },
    );
  if (role !== undefined && !asked.includes('harness'))
    throw new GuardError(
      'GUARD_ERR_USAGE',
      '--role is for drafted agents.',
      'guard mcp --tools harness --role NAME',
    );
  return SETS.filter((set) => asked.includes(set));
}

/** @throws GuardError GUARD_ERR_USAGE for an invalid name, or another session's */
function opener(shell: Shell, fixed: string | undefined): Open<CallerWorkspace> {
  if (fixed !== undefined) agentName(fixed, shell.env, () => fixed);
  const opened = { now: openClock(), isDead: openDeaths(), remembered: openRemembered() };
  return ({ filepaths, agent: said, cwd = shell.cwd, tool }) => {
    const space = workspaceAround({ ...shell, cwd }, filepaths, opened);
    return orClosed(space, () => {
      const call = { said, tool, fixed, only_looks: false };
      const { who, is_guess } = callerOfCall(call, shell.env, (name?: string) => callerOf(space, name));
      return { workspace: { ...space, who }, is_guess, release: (given) => releaseCall(given, space) };
    });
  };
}

/** A call ready to be made: the foreign server's own tool if that server keeps the lock. */
function releaseCall(given: LetGo, { repo }: Workspace): string {
  const { release, reservations = [], leases = release, held_by } = given;
  if (release.some(isShadow)) return releaseLine(given, 'guard', String);
  const filepaths = leases.map(spelledAt(repo));
  return [
    ...(held_by === undefined ? [] : [`lock_try ${JSON.stringify({ filepaths })}`]),
    ...(filepaths.length > 0 ? [`lock_release ${JSON.stringify({ filepaths })}`] : []),
    ...(reservations.length > 0
      ? [`release_files ${JSON.stringify({ reservation_ids: reservations })}`]
      : []),
  ].join(held_by === undefined ? ' and ' : ', then ');
}
