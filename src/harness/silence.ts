/** What an agent's silence may be: a wait that is on record, or a tool that has a limit of its own. */
import { agentOfKey, WAITS } from '../core/keys.ts';
import type { View } from '../core/ledger.ts';
import { hasWaiter, isEdgeLive } from '../core/rules/wait-graph.ts';
import { asWaitState, changesOver } from '../core/states.ts';
import type { AgentId, Facts, WaitEdge } from '../core/types.ts';
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

/** How long the calls that are not answered yet may be silent by limits of their own; 0: none of them has one. */
export function openCallsMs({ open }: Pick<Progress, 'open'>, env: Environment): number {
  const limits = Object.values(open).map(({ tool, input }) => {
    if (tool === 'Bash') return bashMs(input['timeout'], env);
    return tool.startsWith('mcp__') ? amountIn(env, 'MCP_TOOL_TIMEOUT', 0) : 0;
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
