/** What the screen consists of: rows of cells, in sections. */
import type { Need, NeedsView } from '../../core/needs/need.ts';
import type { AgentId, RepoPath } from '../../core/types.ts';
import type { Status } from '../../operations/status.ts';

type Tone = 'plain' | 'dim' | 'bold' | 'red' | 'yellow' | 'green';

export interface BoardCell {
  readonly text: string;
  readonly tone?: Tone;
  /** Which end to keep if there is no room, or both; absent: the start. */
  readonly keep?: 'end' | 'ends';
  /** Its column is dropped if there is no room for all. */
  readonly is_spare?: true;
  /** A sentence: without room for it, it is wrapped below its row instead of being cut. */
  readonly is_sentence?: true;
}

/** Files that an agent holds, for a person who wants them back. */
export interface HeldFiles {
  readonly by: AgentId;
  /** The agent's name. */
  readonly name: string;
  readonly paths: readonly RepoPath[];
  /** Paths and patterns that cover all of them, and nothing else that this agent has locked. */
  readonly areas: readonly string[];
}

/** Only some rows of a long list are shown, so most make their cells and details when they are read. */
export interface BoardRow extends Pick<Need, 'kind' | 'id' | 'detail'> {
  readonly cells: readonly BoardCell[];
  readonly held?: HeldFiles | undefined;
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
  /** Without empty sections. */
  readonly sections: readonly BoardSection[];
}

/** What rows are built from. */
export interface BoardView extends NeedsView {
  readonly told: Status;
  /** How long ago that was. */
  readonly ago: (time: string) => string;
  /** Files of one directory share a row. */
  readonly is_folded: boolean;
}
