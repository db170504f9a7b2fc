/**
 * Which agent may act for which. The one place that decides this, for hooks, commands, MCP servers, HTTP and the
 * harness; the environment is looked up elsewhere and passed in. docs/identity.md has the measurements of what each
 * host puts into which environment.
 */
import { sessionAgent } from './drafts.ts';
import { hostIn } from './host-variables.ts';
import type { AgentId } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a process can find out about the host that started it. */
export interface HostSurroundings {
  /** The Claude Code session; `null` if the environment names none (no session, or a client up to 2.1.100). */
  readonly session: string | null;
  readonly is_in_claude: boolean;
  /** CLAUDECODE is set, as clients from 2.1.200 on do for everything they start. */
  readonly is_started_by_client: boolean;
  /** Hooks and MCP servers get the project's variable, commands do not (2.1.200 to 2.1.330). */
  readonly has_project: boolean;
  /** Another host's variable is set too, so Claude's may belong to a session around that host. */
  readonly is_mixed: boolean;
}

export function surroundingsOf(env: Environment): HostSurroundings {
  const said = (name: string): string | null => (env[name] ?? '') || null;
  const host = hostIn(env);
  const session = said('CLAUDE_CODE_SESSION_ID') ?? said('CLAUDE_SESSION_ID');
  return {
    session,
    is_in_claude: session !== null || said('CLAUDECODE') !== null,
    is_started_by_client: said('CLAUDECODE') !== null,
    has_project: said('CLAUDE_PROJECT_DIR') !== null,
    is_mixed: host !== null && host !== 'claude',
  };
}

/** `other_session`: sent from another session. `no_hook`: sent by a command, although clients send events to hooks. */
export type Forged = 'other_session' | 'no_hook';

/** Why an event cannot be genuine; `null` if nothing contradicts it. Missing variables prove nothing. */
export function forgedBecause(
  event: { readonly session: string },
  { session, is_started_by_client, has_project, is_mixed }: HostSurroundings,
): Forged | null {
  if (session === null || event.session === '' || is_mixed) return null;
  if (event.session !== session) return 'other_session';
  return is_started_by_client && !has_project ? 'no_hook' : null;
}

/** The evidence of which agent runs a command. */
export interface SpeakerEvidence {
  /** The main agent of the session it runs in. */
  readonly main: AgentId;
  /** From the mark that guard's hook appended to the command line; `null` if there is no genuine mark. */
  readonly marked: AgentId | null;
  /** The session's command lines are marked, so one without a mark could come from any of its agents. */
  readonly is_marking: boolean;
  /** Given by --agent or a variable. */
  readonly claimed: AgentId | null;
}

export type Speaker =
  | { readonly id: AgentId; readonly refused: null }
  | { readonly id: AgentId | null; readonly refused: 'unmarked' | 'other' };

/** Within a session no agent may act for another: not for its parent, a sibling, or another session. */
export function speakerOf({ main, marked, is_marking, claimed }: SpeakerEvidence): Speaker {
  const id = marked ?? (is_marking ? null : main);
  if (id === null) return { id, refused: 'unmarked' };
  return { id, refused: claimed === null || claimed === id ? null : 'other' };
}

/** Whether `id` belongs to the session: its main agent, a second process of it (`~2`), or one of its subagents. */
export function isOfSession(id: AgentId, session: string): boolean {
  const own = `claude-${session}`;
  return id.startsWith(own) && /^(?:~\d+)?(?:\/.+)?$/.test(id.slice(own.length));
}

/** Claude Code's own naming scheme, in any case. */
export const isClaudes = (id: AgentId): boolean => /^claude-/i.test(id);

/** A name given to a command by `--agent` or a variable. */
export interface ClaimedName {
  readonly id: AgentId;
  readonly around: Pick<HostSurroundings, 'session' | 'is_mixed'>;
}

/** Whether a session may use this name: next to another host's variables, only Claude Code names are compared. */
export function mayBeNamed({ id, around: { session, is_mixed } }: ClaimedName): boolean {
  return session === null || (is_mixed && !isClaudes(id)) || isOfSession(id, session);
}

/**
 * Whether a command that another client started may act for a Claude Code agent.
 * @param around the agent whose session's variables are set around that client, or below it; `null` if there are none
 */
export const mayBeBeside = (id: AgentId, around: AgentId | null): boolean =>
  around === null || !isClaudes(id) || id.replace(/~\d+(?=\/|$)/, '') === around;

/** An agent with a genuine mark is that agent and can claim no other name. */
export const mayBeMarked = (marked: AgentId, claimed: AgentId): boolean =>
  claimed === '' || claimed === marked;

/** A call of an MCP tool. */
export interface ToolCall {
  /** The agent with a genuine signature that was not used before. */
  readonly signed: AgentId | null;
  /** The call names its caller, signed or not. */
  readonly has_claim: boolean;
  /** Given to the server by a person: `guard mcp --agent`. */
  readonly fixed: AgentId | null;
  readonly is_in_claude: boolean;
  /** It acts for no agent, and its answer is not secret. */
  readonly only_looks: boolean;
}

/** `served`: the call acts for the agent that the server serves. */
export function callerOfTool(call: ToolCall): { readonly id: AgentId } | 'served' | 'unsigned' {
  if (call.signed !== null) return { id: call.signed };
  if (call.has_claim) return 'unsigned';
  if (call.fixed !== null) return { id: call.fixed };
  return call.is_in_claude && !call.only_looks ? 'unsigned' : 'served';
}

/** Below a drafted agent, processes may act as that agent, its subagents and its second processes; as no other. */
export const isOfDraft = (claimed: AgentId, draft: AgentId): boolean => sessionAgent(claimed) === draft;

/** People's ids contain a user and a host (src/cli/person.ts); no agent in a session can use such an id. */
export const isPerson = (id: AgentId): boolean => id.includes('@');

/** Where a lock is requested or taken back on screen. */
export interface AtScreen extends Pick<HostSurroundings, 'is_in_claude'> {
  /** Commands of another client are not a person's either. */
  readonly is_in_host: boolean;
  readonly is_terminal: boolean;
}

/** Only a person at a terminal outside of every session may end another agent's lock. */
export const mayTakeBack = ({ is_in_claude, is_in_host, is_terminal }: AtScreen): boolean =>
  is_terminal && !is_in_claude && !is_in_host;

/**
 * Why a name cannot be claimed over HTTP. `session`: Claude's own naming scheme, in any case. `twin`: differs only in
 * case from a known agent. `name`: messages to it would go to the agent with that name. `own`: it has hooks, commands
 * and tools.
 */
export type NotForHttp = 'shadow' | 'person' | 'session' | 'twin' | 'name' | 'own';

/** What the ledger knows about a name. */
export interface NameEvidence {
  readonly is_shadow: boolean;
  /** All agents here, if none of them has that id yet: a new agent must not be mistaken for another one. */
  readonly here: readonly { readonly id: AgentId; readonly name: string | null }[];
  /** The agent, its session or that session's first process has its own session or process. */
  readonly has_own: boolean;
}

/** `null` if it may be claimed, provided that no other agent has it. */
export function notForHttp(id: AgentId, known: NameEvidence, sessions_too: boolean): NotForHttp | null {
  if (known.is_shadow) return 'shadow';
  if (isPerson(id)) return 'person';
  const folded = id.toLowerCase();
  if (known.here.some((other) => other.id !== id && other.id.toLowerCase() === folded)) return 'twin';
  if (!sessions_too && isClaudes(id)) return 'session';
  if (known.here.some(({ name }) => name === id)) return 'name';
  return !sessions_too && known.has_own ? 'own' : null;
}

interface Written {
  readonly from: AgentId;
  readonly to: readonly AgentId[];
}

/**
 * The messages of a thread, oldest first, that an agent may read: all of them for participants, otherwise those it sent
 * or received. Participants are the agent that began the thread and everyone a participant wrote to; writing into it is
 * not enough.
 */
export function readableBy<T extends Written>(messages: readonly T[], reader: AgentId): readonly T[] {
  const [first] = messages;
  const part = new Set(first === undefined ? [] : [first.from]);
  for (const { from, to } of messages) if (part.has(from)) to.forEach((agent) => part.add(agent));
  return isPerson(reader) || part.has(reader)
    ? messages
    : messages.filter((one) => isOwnMessage(one, reader));
}

export const isOwnMessage = ({ from, to }: Written, reader: AgentId): boolean =>
  from === reader || to.includes(reader);
