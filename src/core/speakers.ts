/**
 * Who may speak for whom. The one place that decides it, for hooks, commands, MCP servers, HTTP and the harness; what the
 * surroundings say is looked up elsewhere and handed in. What each host puts into which environment is measured:
 * docs/identity.md.
 */
import { sessionAgent } from './drafts.ts';
import { hostIn } from './host-variables.ts';
import type { AgentId } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a process can know of the host that started it. */
export interface HostSurroundings {
  /** Of Claude Code; null where the environment names none (no session, or a client up to 2.1.100). */
  readonly session: string | null;
  readonly is_in_claude: boolean;
  /** CLAUDECODE, which clients from 2.1.200 on give to all that they start. */
  readonly is_started_by_client: boolean;
  /** Hooks and MCP servers are told the project, commands are not (2.1.200 to 2.1.330). */
  readonly has_project: boolean;
  /** Another host's variable is there too: Claude's may be those of the session around that host. */
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

/** `other_session`: sent from within another session. `no_hook`: sent by a command, and a client sends events to hooks. */
export type Forged = 'other_session' | 'no_hook';

/** Why an event cannot be what it says; null: nothing speaks against it. What is missing is not judged. */
export function forgedBecause(
  event: { readonly session: string },
  { session, is_started_by_client, has_project, is_mixed }: HostSurroundings,
): Forged | null {
  if (session === null || event.session === '' || is_mixed) return null;
  if (event.session !== session) return 'other_session';
  return is_started_by_client && !has_project ? 'no_hook' : null;
}

/** A command, as far as it is known whose it is. */
export interface SpeakerEvidence {
  /** The main agent of the session that it runs in. */
  readonly main: AgentId;
  /** By the mark that guard's hook put behind the command line; null: there is none that is genuine. */
  readonly marked: AgentId | null;
  /** The session's command lines are marked, so one without a mark is anybody's. */
  readonly is_marking: boolean;
  /** By --agent or a variable. */
  readonly claimed: AgentId | null;
}

export type Speaker =
  | { readonly id: AgentId; readonly refused: null }
  | { readonly id: AgentId | null; readonly refused: 'unmarked' | 'other' };

/** In a session nobody speaks for anybody else: not for its parent, a sibling, or another session. */
export function speakerOf({ main, marked, is_marking, claimed }: SpeakerEvidence): Speaker {
  const id = marked ?? (is_marking ? null : main);
  if (id === null) return { id, refused: 'unmarked' };
  return { id, refused: claimed === null || claimed === id ? null : 'other' };
}

/** Of a session: its main agent, a second process of it (`~2`), or one of its subagents. */
export function isOfSession(id: AgentId, session: string): boolean {
  const own = `claude-${session}`;
  return id.startsWith(own) && /^(?:~\d+)?(?:\/.+)?$/.test(id.slice(own.length));
}

/** Claude Code's own way of naming, in whatever case. */
export const isClaudes = (id: AgentId): boolean => /^claude-/i.test(id);

/** A name given to a command by `--agent` or a variable. */
export interface ClaimedName {
  readonly id: AgentId;
  readonly around: Pick<HostSurroundings, 'session' | 'is_mixed'>;
}

/** Whether a session may call itself that: beside another host's variables only names of Claude Code are compared. */
export function mayBeNamed({ id, around: { session, is_mixed } }: ClaimedName): boolean {
  return session === null || (is_mixed && !isClaudes(id)) || isOfSession(id, session);
}

/**
 * Whether a command that another client started may speak for an agent of Claude Code.
 * @param around the agent whose session's variables stand around that client, or below it; null: there is none
 */
export const mayBeBeside = (id: AgentId, around: AgentId | null): boolean =>
  around === null || !isClaudes(id) || id.replace(/~\d+(?=\/|$)/, '') === around;

/** Who has a genuine mark is that agent, and can claim to be no other. */
export const mayBeMarked = (marked: AgentId, claimed: AgentId): boolean =>
  claimed === '' || claimed === marked;

/** A call of an MCP tool. */
export interface ToolCall {
  /** By a genuine signature that was not used before. */
  readonly signed: AgentId | null;
  /** The call says who makes it, signed or not. */
  readonly has_claim: boolean;
  /** As a person gave it to the server: `guard mcp --agent`. */
  readonly fixed: AgentId | null;
  readonly is_in_claude: boolean;
  /** It acts for nobody, and what it answers is no secret. */
  readonly only_looks: boolean;
}

/** `served`: as whoever the server works for. */
export function callerOfTool(call: ToolCall): { readonly id: AgentId } | 'served' | 'unsigned' {
  if (call.signed !== null) return { id: call.signed };
  if (call.has_claim) return 'unsigned';
  if (call.fixed !== null) return { id: call.fixed };
  return call.is_in_claude && !call.only_looks ? 'unsigned' : 'served';
}

/** What runs below a drafted agent is that agent, its subagents and its second processes, and nobody else. */
export const isOfDraft = (claimed: AgentId, draft: AgentId): boolean => sessionAgent(claimed) === draft;

/** People have a user and a host in their id (src/cli/person.ts); nobody in a session can call itself so. */
export const isPerson = (id: AgentId): boolean => id.includes('@');

/** Who sits where a lock is asked for, or taken back, at the screen. */
export interface AtScreen extends Pick<HostSurroundings, 'is_in_claude'> {
  /** Another client's commands are no person's either. */
  readonly is_in_host: boolean;
  readonly is_terminal: boolean;
}

/** What ends somebody else's lock is for a person, at a terminal outside of every session. */
export const mayTakeBack = ({ is_in_claude, is_in_host, is_terminal }: AtScreen): boolean =>
  is_terminal && !is_in_claude && !is_in_host;

/**
 * Why a name cannot be claimed over HTTP. `session`: Claude's own way of naming, in whatever case. `twin`: differs only in case
 * from one who is known. `name`: messages to it would go to whoever is called so. `own`: it has hooks, commands and tools.
 */
export type NotForHttp = 'shadow' | 'person' | 'session' | 'twin' | 'name' | 'own';

/** What the ledger knows around a name. */
export interface NameEvidence {
  readonly is_shadow: boolean;
  /** Everybody here, where nobody has that id yet: who is new must not be taken for somebody else. */
  readonly here: readonly { readonly id: AgentId; readonly name: string | null }[];
  /** It, its session or the first process of that has a session or a process of its own. */
  readonly has_own: boolean;
}

/** Null: it may be claimed, if nobody else has it. */
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
 * Of a thread, oldest first, what one agent may read: all of it for those who take part, else what it wrote or got. Who
 * began it takes part, and whoever somebody who takes part wrote to; writing into it makes nobody a part of it.
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
