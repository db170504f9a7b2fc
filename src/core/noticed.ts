/** What guard noticed besides the writes it checked, for a person: `noticed:` has everything not yet fixed. */
import type { Json, Key } from './ledger.ts';
import type { AgentId } from './types.ts';

export const NOTICED: Key = 'noticed:';
/** When the list is full, the oldest entries are dropped. */
const NOTICED_MAX = 50;

/** `hook`: another hook command was added to a settings file. `changed`: something that keeps guard working was. */
export interface Notice {
  readonly what: 'hook' | 'changed';
  /** Absolute. */
  readonly file: string;
  /** The hook's command, or a description of the change. */
  readonly detail: string;
  /** The hook's event; '' for a change. */
  readonly event: string;
}

export interface NoticedState extends Notice {
  readonly agent: AgentId;
  readonly at_wall_ms: number;
  /** It was shown at the start of a session. */
  readonly told: boolean;
}

export const asNoticed = (state: Json | undefined): readonly NoticedState[] =>
  (state as unknown as { items?: readonly NoticedState[] } | null | undefined)?.items ?? [];

/** The state with one more notice; a repeated notice gets the new time. */
export const withNotice = (
  state: Json | undefined,
  notice: NoticedState,
): { items: readonly NoticedState[] } => ({
  items: [...asNoticed(state).filter((one) => !isSameNotice(one, notice)), notice].slice(-NOTICED_MAX),
});

export const isSameNotice = (a: Notice, b: Notice): boolean =>
  a.what === b.what && a.file === b.file && a.detail === b.detail && a.event === b.event;
