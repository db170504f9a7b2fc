/** Who acts in transcripts: one agent for each session, and one for each of its subagents. */
import { agentKey } from '../../core/keys.ts';
import { asAgentState } from '../../core/states.ts';
import type { AgentState } from '../../core/types.ts';
import type { Who } from '../../core/rules/who.ts';
import type { Happening, Teller } from '../transcript/happening.ts';
import type { LedgerThen } from './ledger.ts';

export interface Actor {
  readonly who: Who;
  /** The directory where its session began. */
  readonly project: string;
  /** The time of its last command that may have changed any file. */
  ran_ms: number;
}

export interface Actors {
  /** Undefined until it acts for the first time. */
  readonly known: (by: Teller) => Actor | undefined;
  readonly of: (happening: Happening) => Actor;
  /** Records that a session repeats another one's history: a fork. */
  readonly noteFork: (session: string) => void;
  readonly state: (actor: Actor) => AgentState | undefined;
  readonly count: () => { readonly sessions: number; readonly agents: number };
}

const idOf = ({ session, agent }: Teller): string => `claude-${session}${agent === null ? '' : `/${agent}`}`;

export function openActors(ledger: LedgerThen): Actors {
  const actors = new Map<string, Actor>();
  const projects = new Map<string, string>();
  const forks = new Set<string>();
  return {
    known: (by) => actors.get(idOf(by)),
    of({ by, cwd }) {
      const id = idOf(by);
      const known = actors.get(id);
      if (known !== undefined) return known;
      const project = projects.get(by.session) ?? cwd;
      projects.set(by.session, project);
      const actor = { who: whoIs(by, id, forks.has(by.session)), project, ran_ms: 0 };
      actors.set(id, actor);
      return actor;
    },
    noteFork: (session) => void forks.add(session),
    state: ({ who }) => asAgentState(ledger.get(agentKey(who.id))),
    count: () => ({ sessions: projects.size, agents: actors.size }),
  };
}

function whoIs({ session, agent }: Teller, id: string, inherited: boolean): Who {
  if (agent === null) return { id, kind: 'session', parent: null, session, proc: null, inherited };
  return { id, kind: 'subagent', parent: `claude-${session}`, session, proc: null };
}
