/** How long an agent may be silent: while it waits as recorded, or while a tool with its own limit runs. */
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

/** The client's own limits, as documented. */
const BASH_MS = 120_000;
const BASH_MAX_MS = 600_000;
/** Time between a tool's end and the client's report of it. */
const GRACE_MS = 10_000;

/** Whether the agent, or one of its subagents, waits for a lock or for the end of another agent, however it asked. */
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

/** What a user has set for tool calls, in any place where the client reads it. */
export interface CallLimits {
  readonly env: Environment;
  /** Timeouts by the prefix of the names of a server's tools. */
  readonly servers: ReadonlyMap<string, number>;
}

/** @param cwd the client's working directory, whose project settings apply; variables set there override the environment */
export function callLimits(cwd: string, env: Environment): CallLimits {
  const settings = seenSettings(cwd, env);
  const own = settings.flatMap(({ value }) =>
    Object.entries(asObject(value['env'])).map(([name, given]) => [name, String(given)] as const),
  );
  const servers = serverTimeouts({ root: cwd, env, settings });
  return { env: { ...env, ...Object.fromEntries(own) }, servers };
}

/** guard's own servers, as guard and its plugin name them. */
const OWN = /^mcp__(?:plugin_guard_)?guard(?:-harness)?__$/;

/** The shortest `timeout` that a user has set for one of guard's own servers. */
export const ownServerMs = ({ servers }: Pick<CallLimits, 'servers'>): number =>
  Math.min(Infinity, ...[...servers].flatMap(([prefix, limit_ms]) => (OWN.test(prefix) ? [limit_ms] : [])));

/**
 * How long the unanswered calls may be silent by their own limits; 0 if none has one. A call of an MCP server without a
 * limit may take forever.
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
