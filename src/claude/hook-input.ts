/** The content of an event in Claude Code's terms, whichever client sent it. */
import type { ProcessMark } from '../core/types.ts';
import type { Fields } from './fields.ts';
import type { Host } from './hosts/host.ts';

export interface HookInput {
  /** The client that sent the event, which is the prefix of its agent's id. An unidentified client counts as Claude. */
  readonly host: Exclude<Host, 'unknown'>;
  readonly event: string;
  readonly session: string;
  readonly cwd: string;
  /** Where the session and its MCP servers were started; `cwd` follows the agent's `cd`. */
  readonly project: string;
  /** The subagent; null for an empty agent_id (compaction). */
  readonly agent: string | null;
  readonly agent_type: string;
  readonly tool: string;
  readonly tool_use_id: string;
  readonly tool_input: Fields;
  readonly tool_response: unknown;
  readonly raw: Fields;
  /** The files that the call writes, if its fields do not name them as Claude's tools do (adapters/codex.ts). */
  readonly paths?: readonly string[] | undefined;
  /** The client's process, if the environment does not name it. */
  readonly proc?: ProcessMark | null;
}
