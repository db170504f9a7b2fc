/** What guard saw beside the writes it judged, for a person to look at: `noticed:` holds what nobody has put right yet. */
import type { Json, Key } from './ledger.ts';
import type { AgentId } from './types.ts';

export const NOTICED: Key = 'noticed:';
/** The oldest go first. */
const NOTICED_MAX = 50;

/** `hook`: a hook command that is not guard's came into a settings file. `changed`: what keeps guard going is not as it was. */
export interface Notice {
  readonly what: 'hook' | 'changed';
  /** Absolute. */
  readonly file: string;
  /** The command of a hook; of a change what became of it. */
  readonly detail: string;
  /** Of a hook; else ''. */
  readonly event: string;
}

export interface NoticedState extends Notice {
  readonly agent: AgentId;
  readonly at_wall_ms: number;
  /** At the start of a session. */
  readonly told: boolean;
}

export const asNoticed = (state: Json | undefined): readonly NoticedState[] =>
  (state as unknown as { items?: readonly NoticedState[] } | null | undefined)?.items ?? [];

/** The state with one more; what is said again counts from now. */
export const withNotice = (
  state: Json | undefined,
  notice: NoticedState,
): { items: readonly NoticedState[] } => ({
  items: [...asNoticed(state).filter((one) => !isSameNotice(one, notice)), notice].slice(-NOTICED_MAX),
});

export const isSameNotice = (a: Notice, b: Notice): boolean =>
  a.what === b.what && a.file === b.file && a.detail === b.detail && a.event === b.event;
