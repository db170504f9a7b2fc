/** What needs a person, in the form that the screen, `guard watch` and the page share. */
import type { Lsn } from '../ledger.ts';
import type { NoticedState } from '../noticed.ts';
import type { SceneSeen } from '../scene.ts';
import type { AgentId, RepoPath } from '../types.ts';

/** Why a person is called (`guard watch`). */
export type AttentionKind = 'deadlock' | 'wait' | 'denied' | 'unguarded' | 'noticed';

export interface Need {
  /** Absent: nobody has to be called. */
  readonly kind?: AttentionKind;
  /** Stays the same from one look to the next. */
  readonly id: string;
  /** `deadlock`, `waits`: what it is, in a word or two. */
  readonly label: string;
  readonly tone: 'red' | 'yellow' | 'plain';
  /** How long it has lasted; `null` if that is not known. */
  readonly age_ms: number | null;
  readonly who: string;
  readonly what: string;
  /** Which of these two is a sentence. A `what` that is none is a path. */
  readonly sentence?: 'who' | 'what';
  /** Everything about it, one line each. */
  readonly detail: readonly string[];
  /** Locks whose release would end it. */
  readonly frees?: { readonly by: AgentId; readonly paths: readonly RepoPath[] };
  /** The newest record about it, if one is known. */
  readonly lsn?: Lsn;
}

export interface DenialNow {
  readonly at: string;
  readonly lsn: Lsn;
  readonly agent: AgentId;
  readonly tool: string;
  readonly paths: readonly RepoPath[];
  readonly error_type: string;
  readonly message: string;
}

/** A client at work here, as its process shows it. */
export interface ClientSeen {
  readonly pid: number;
  /** As in ProcessMark. */
  readonly start: string;
  readonly cwd: string;
  readonly age_s: number;
}

/** As `guard init --host` calls it. */
export interface OtherClient extends ClientSeen {
  readonly client: 'codex' | 'gemini' | 'qwen' | 'copilot' | 'opencode';
}

/** What needs are found in: the present, or an earlier moment. */
export interface NeedsSeen extends Pick<SceneSeen, 'waits' | 'cycles'> {
  readonly leases: readonly Pick<SceneSeen['leases'][number], 'holder' | 'path'>[];
  readonly repository: string;
  /** Newest first. */
  readonly denials: readonly DenialNow[];
  /** Claude Code at work here without guard; `null` if that cannot be determined. */
  readonly unjoined: readonly ClientSeen[] | null;
  readonly other_clients: readonly OtherClient[] | null;
  readonly noticed: readonly NoticedState[];
}

/** How agents and times are named to the one who reads. */
export interface NeedsView {
  readonly told: NeedsSeen;
  readonly now_ms: number;
  /** The chosen name, or one derived from the id. */
  readonly nameOf: (id: AgentId) => string;
  /** The name, and the id where that is different: `ann (claude-1234)`. */
  readonly fullNameOf: (id: AgentId) => string;
}
