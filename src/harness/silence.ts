/** What an agent's silence may be: a wait that is on record, or a tool that has a limit of its own. */
import { agentOfKey, WAITS } from '../core/keys.ts';
import type { View } from '../core/ledger.ts';
import { hasWaiter, isEdgeLive } from '../core/rules/wait-graph.ts';
import { asWaitState, changesOver } from '../core/states.ts';
import { asObject } from '../core/json-object.ts';
import type { AgentId, Facts, WaitEdge } from '../core/types.ts';
import { serverTimeouts } from '../install/mcp-servers.ts';
import { seenSettings } from '../install/settings-seen.ts';
import type { Environment } from '../repo/user-dirs.ts';
import type { Progress } from './progress.ts';

/** The client's own, as it documents them. */
const BASH_MS = 120_000;
const BASH_MAX_MS = 600_000;
/** From a tool's own end to the client's word of it. */
const GRACE_MS = 10_000;

/** The agent, or a subagent of it, waits for a lock or for the end of another agent, in whatever way it was asked to. */
export function waitsOnRecord(view: View, id: AgentId, facts: Facts): boolean {
  const { boot, mono_ms } = facts.now;
  const changes = changesOver(view);
  return view.range(`${WAITS}${id}`).some(([key, state]) => {
    const { edges, awaits = [] } = asWaitState(state);
    const isWait = (edge: WaitEdge): boolean =>
      edge.kind === 'wait' && isEdgeLive(edge, facts) && hasWaiter(changes, agentOfKey(key), edge, facts);
    return edges.some(isWait) || awaits.some((one) => one.boot === boot && mono_ms < one.until_mono_ms);
  });
}

/** What a user has set for calls of tools, wherever the client reads that. */
export interface CallLimits {
  readonly env: Environment;
  /** By how the names of a server's tools begin. */
  readonly servers: ReadonlyMap<string, number>;
}

/** @param cwd where the client works: the settings of that checkout are its project's. What they hand over outdoes the environment */
export function callLimits(cwd: string, env: Environment): CallLimits {
  const settings = seenSettings(cwd, env);
  const own = settings.flatMap(({ value }) =>
    Object.entries(asObject(value['env'])).map(([name, given]) => [name, String(given)] as const),
  );
  const servers = serverTimeouts({ root: cwd, env, settings });
  return { env: { ...env, ...Object.fromEntries(own) }, servers };
}

/**
 * How long the calls that are not answered yet may be silent by limits of their own; 0: none of them has one. A call of an MCP
 * server that nobody bounds may take for ever.
 */
export function openCallsMs({ open }: Pick<Progress, 'open'>, { env, servers }: CallLimits): number {
  const limits = Object.values(open).map(({ tool, input }) => {
    if (tool === 'Bash') return bashMs(input['timeout'], env);
    if (!tool.startsWith('mcp__')) return 0;
    const [, own] = [...servers].find(([beginning]) => tool.startsWith(beginning)) ?? [];
    return own ?? amountIn(env, 'MCP_TOOL_TIMEOUT', Infinity);
  });
  const longest = Math.max(0, ...limits);
  return longest === 0 ? 0 : longest + GRACE_MS;
}

function bashMs(asked: unknown, env: Environment): number {
  const usual = amountIn(env, 'BASH_DEFAULT_TIMEOUT_MS', BASH_MS);
  const most = Math.max(usual, amountIn(env, 'BASH_MAX_TIMEOUT_MS', BASH_MAX_MS));
  return Math.min(typeof asked === 'number' && asked > 0 ? asked : usual, most);
}

function amountIn(env: Environment, name: string, otherwise: number): number {
  const given = Number(env[name]);
  return Number.isFinite(given) && given > 0 ? given : otherwise;
}
