/**
 * Where an event plays: the home repository of its session, the agent it is about, policy, clocks and the
 * ledgers it may touch. Opened on use, closed once; nothing here decides anything.
 */
import type { Who } from '../core/rules/agent.ts';
import type { Now } from '../core/types.ts';
import { deadlineAfter, readNow } from '../repo/clock.ts';
import { locateRepo } from '../repo/locate.ts';
import type { Repo } from '../repo/locate.ts';
import { identityIn, processOf } from './identity.ts';
import type { HookInput } from './input.ts';
import { openLedgers, placeIn } from './place.ts';
import type { Ledger, Place } from './place.ts';

export type { Place } from './place.ts';

export interface Environment {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Judge, and change nothing. */
  readonly dry?: boolean;
}

export interface Scene {
  readonly input: HookInput;
  readonly env: NodeJS.ProcessEnv;
  readonly now: Now;
  readonly who: Who;
  /** Throws GUARD_ERR_DEADLINE when the hook has run for too long (configuration, `deadline`). */
  readonly deadline: () => void;
  readonly home: Place;
  /** The ledger that keeps a repository's files. */
  place(repo: Repo): Place;
  close(): void;
}

export function openScene(input: HookInput, { env, dry = false }: Environment): Scene {
  const now = readNow();
  const ledgers = openLedgers(env, now);
  const repo = locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd);
  const home = ledgers.of(repo);
  const who = whoIs(input, home, env);
  const places = new Map<Ledger, Place>();
  const place = (of: Repo): Place => {
    const ledger = ledgers.of(of);
    const found = places.get(ledger) ?? placeIn(ledger, who, dry);
    places.set(ledger, found);
    return found;
  };
  return {
    input,
    env,
    now,
    who,
    deadline: deadlineAfter(home.config.deadline_ms),
    home: place(repo),
    place,
    close: () => ledgers.close(),
  };
}

/** Session, subagent and process of the event; a second live process on the session is an agent of its own. */
function whoIs(input: HookInput, { store, facts }: Ledger, env: NodeJS.ProcessEnv): Who {
  const session = input.session === '' ? 'unknown' : input.session;
  const proc = processOf(env);
  const { id, inherited } = identityIn(store, `claude-${session}`, proc, facts);
  const forked = input.event === 'SessionStart' && input.raw['source'] === 'fork';
  const main: Who = { id, kind: 'session', parent: null, session, proc, inherited: inherited || forked };
  if (input.agent === null) return main;
  return { ...main, id: `${id}/${input.agent}`, kind: 'subagent', parent: id, inherited: false };
}
