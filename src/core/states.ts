/**
 * Typed access to a view's states, and the changes that a rule makes to them. The ledger's checksums guarantee the
 * shape; states written by a newer guard keep their unknown fields because every change spreads the old state.
 */
import { agentKey, pathKey, waitKey } from './keys.ts';
import type { Json, Key, RecordBody, View } from './ledger.ts';
import type { AgentId, AgentState, PathState, RepoPath, WaitState } from './types.ts';

export const EMPTY_PATH: PathState = { holds: [], queue: [], intent: null, last_write: null, touched: 0 };
const EMPTY_WAIT: WaitState = { edges: [] };

export const asPathState = (state: Json | undefined): PathState =>
  (state as PathState | null | undefined) ?? EMPTY_PATH;
export const asAgentState = (state: Json | undefined): AgentState | undefined =>
  (state as AgentState | null | undefined) ?? undefined;
export const asWaitState = (state: Json | undefined): WaitState =>
  (state as WaitState | null | undefined) ?? EMPTY_WAIT;

const isNothing = ({ edges, verdicts = [], awaits = [] }: WaitState): boolean =>
  edges.length === 0 && verdicts.length === 0 && awaits.length === 0;

/** Typed access to one transaction's states, with the rule's own changes on top. */
export interface Changes {
  path(path: RepoPath): PathState;
  agent(id: AgentId): AgentState | undefined;
  wait(id: AgentId): WaitState;
  setPath(path: RepoPath, state: PathState): void;
  setAgent(state: AgentState): void;
  setWait(id: AgentId, state: WaitState): void;
  /** Any other state, as stored. */
  get(key: Key): Json | undefined;
  set(key: Key, state: object | null): void;
  /** Appends a record with the changes since the previous one. Without changes, only if `always` is set. */
  record(body: Omit<RecordBody, 's'>, always?: boolean): void;
  readonly records: RecordBody[];
  /** The view without these changes. */
  readonly view: View;
}

export function changesOver(view: View): Changes {
  const changed = new Map<Key, Json>();
  const pending = new Set<Key>();
  const records: RecordBody[] = [];
  const get = (key: Key): Json | undefined => (changed.has(key) ? changed.get(key) : view.get(key));
  const set = (key: Key, state: object | null): void => {
    changed.set(key, state as unknown as Json);
    pending.add(key);
  };
  return {
    path: (path) => asPathState(get(pathKey(path))),
    agent: (id) => asAgentState(get(agentKey(id))),
    wait: (id) => asWaitState(get(waitKey(id))),
    setPath: (path, state) => set(pathKey(path), state),
    setAgent: (state) => set(agentKey(state.id), state),
    setWait: (id, state) => set(waitKey(id), isNothing(state) ? null : state),
    get,
    set,
    record(body, always = false) {
      if (pending.size === 0 && !always) return;
      const s: Record<Key, Json> = {};
      for (const key of pending) s[key] = changed.get(key) ?? null;
      pending.clear();
      records.push({ ...(body as RecordBody), s });
    },
    records,
    view,
  };
}

/** For a step that only reads, and reads each state many times: a key is made and looked up once. */
export const readOnce = (changes: Changes): Changes => ({
  ...changes,
  get: once((key) => changes.get(key)),
  path: once((path) => changes.path(path)),
  agent: once((id) => changes.agent(id)),
});

function once<A, B>(look: (of: A) => B): (of: A) => B {
  const known = new Map<A, B>();
  return (of) => {
    if (known.has(of)) return known.get(of) as B;
    const found = look(of);
    known.set(of, found);
    return found;
  };
}
