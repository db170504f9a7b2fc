/** The newest recorded refusal, and what guard would answer to the same call now. */
import { explain, type Explanation } from '../claude/explain.ts';
import { asFields, asText, parseInput } from '../claude/input.ts';
import { asList } from '../core/json-object.ts';
import type { LedgerRecord } from '../core/ledger.ts';
import { spelledAt } from '../repo/spelled.ts';
import type { Repo } from '../repo/locate.ts';
import type { Store } from '../store/store.ts';
import { agentAsked, noSuchAgent } from './agent-asked.ts';
import type { Shell } from './shell.ts';

interface LastDenial {
  readonly at: string;
  readonly lsn: number;
  readonly agent: string;
  readonly tool: string;
  readonly op: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** As its agent received it. */
  readonly denial: Readonly<Record<string, unknown>>;
}

export interface LastExplained {
  /** `null` if nothing was refused, as far back as the ledger goes. */
  readonly last: LastDenial | null;
  /** `null` if the record is not enough to ask again: for a command line, and for an agent of another client. */
  readonly now: Explanation | null;
}

/** @param agent limits the search to this agent and its subagents */
export function explainLast(
  repo: Repo,
  store: Store,
  shell: Shell,
  agent: string | undefined,
): LastExplained {
  const meant = agent === undefined ? null : agentAsked(store, agent);
  const isOf = (one: LedgerRecord): boolean => meant === null || meant.isOf(one.agent);
  let found: LedgerRecord | undefined;
  for (const record of store.scan()) if (record.type === 'write.rejected' && isOf(record)) found = record;
  if (found === undefined && meant?.is_unknown === true) throw noSuchAgent(agent ?? '');
  if (found === undefined) return { last: null, now: null };
  const spelled = spelledAt(repo);
  const files = asList(found['paths']).map((path) => spelled(asText(path)));
  const last = {
    ...{ at: found.ts, lsn: found.lsn, agent: found.agent, files, denial: asFields(found['denial']) },
    ...{ tool: asText(found['tool']), op: asText(found['op']) },
  };
  return { last, now: explainAgain(last, repo.root, shell) };
}

/** `claude-<session>`, or `claude-<session>/<subagent>`. */
const CLAUDES = /^claude-([^/]+)(?:\/(.+))?$/;

function explainAgain(
  { agent, tool, files, op }: LastDenial,
  root: string,
  shell: Shell,
): Explanation | null {
  const [, session, subagent] = CLAUDES.exec(agent) ?? [];
  const [file_path] = files;
  if (session === undefined || file_path === undefined || tool === 'Bash') return null;
  const name = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path';
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: session,
    ...(subagent === undefined ? {} : { agent_id: subagent }),
    cwd: root,
    tool_name: tool,
    tool_use_id: `${op}?`,
    tool_input: { [name]: file_path },
  };
  const input = parseInput(JSON.stringify(event), root);
  // The agent's process is meant, not that of the caller.
  const env = { ...shell.env, CLAUDE_PID: undefined, CLAUDE_PROJECT_DIR: root };
  return input === null ? null : explain(input, { env, cwd: root });
}
