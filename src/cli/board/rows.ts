/** What the screen is made of: rows of cells, in sections. */
import type { AgentId, RepoPath } from '../../core/types.ts';
import type { Status } from '../../operations/status.ts';

export type Tone = 'plain' | 'dim' | 'bold' | 'red' | 'yellow' | 'green';

export interface BoardCell {
  readonly text: string;
  readonly tone?: Tone;
  /** Which end says most where there is no room; absent: its start. */
  readonly keep?: 'end';
  /** Its column goes where there is no room for all. */
  readonly is_spare?: true;
}

/** Files that somebody has, for whoever wants them back. */
export interface HeldFiles {
  readonly by: AgentId;
  readonly paths: readonly RepoPath[];
  /** Path or pattern that says all of them. */
  readonly area: string;
}

export interface BoardRow {
  /** The same from one look to the next. */
  readonly id: string;
  readonly cells: readonly BoardCell[];
  /** All there is to say of it, a line each. */
  readonly detail: readonly string[];
  readonly held?: HeldFiles;
}

export interface BoardSection {
  readonly title: string;
  readonly tone: Tone;
  readonly rows: readonly BoardRow[];
}

export interface Board {
  readonly head: readonly BoardCell[];
  /** `12 agents  24 locks  1 waiting`. */
  readonly sums: string;
  /** Without those that are empty. */
  readonly sections: readonly BoardSection[];
}

/** What rows are made of. */
export interface BoardView {
  readonly told: Status;
  readonly now_ms: number;
  /** Chosen, or made of the id. */
  readonly nameOf: (id: AgentId) => string;
  /** How long ago. */
  readonly ago: (time: string) => string;
  /** Files of one directory are one row. */
  readonly is_folded: boolean;
}
