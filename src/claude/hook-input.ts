/** What an event says, in Claude Code's terms, whichever client sent it. */
import type { ProcessMark } from '../core/types.ts';
import type { Fields } from './fields.ts';
import type { Host } from './hosts/host.ts';

export interface HookInput {
  /** Whose event it is; its agent's id begins with this. What nobody can tell counts as Claude's. */
  readonly host: Exclude<Host, 'unknown'>;
  readonly event: string;
  readonly session: string;
  readonly cwd: string;
  /** Where the session was started, and its MCP servers with it; `cwd` follows the agent's `cd`. */
  readonly project: string;
  /** Subagent; an empty agent_id (compaction) is none. */
  readonly agent: string | null;
  readonly agent_type: string;
  readonly tool: string;
  readonly tool_use_id: string;
  readonly tool_input: Fields;
  readonly tool_response: unknown;
  readonly raw: Fields;
  /** What the call writes, where its fields do not say it as Claude's tools do (adapters/codex.ts). */
  readonly paths?: readonly string[] | undefined;
  /** The client's process, where the environment does not name it. */
  readonly proc?: ProcessMark | null;
}
