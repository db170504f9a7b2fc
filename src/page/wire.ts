/** What the server sends to the page. */
import type { NeedsSeen } from '../core/needs/need.ts';
import type { SceneSeen } from '../core/scene.ts';
import type { DirectoryContention } from '../history/contention.ts';
import type { DenialSeen } from '../history/denials.ts';
import type { SceneThen } from '../history/history.ts';
import type { Timeline } from '../history/timeline.ts';

export type { Bar, Timeline, TimelineRow } from '../history/timeline.ts';
export type { DenialSeen, SceneThen };

type SceneAgent = SceneSeen['agents'][number];
export type Wait = SceneSeen['waits'][number];
export type Circle = SceneSeen['cycles'][number];

/** For the present, the time when an agent was last active is known; for the past, how long before that moment. */
export type ShownAgent = Omit<SceneAgent, 'last_active_seconds'> & {
  readonly last_active_seconds?: number;
  readonly active_ms?: number;
};
export type ShownScene = Omit<SceneSeen, 'agents'> & { readonly agents: readonly ShownAgent[] };

interface Point {
  readonly lsn: number;
  readonly ms: number;
}

export interface PresentStatus
  extends ShownScene, Pick<NeedsSeen, 'denials' | 'unjoined' | 'other_clients' | 'noticed'> {
  readonly repository: string;
  readonly enforcement: string;
  readonly hooked: boolean;
  readonly off_until: string | null;
  readonly late: number;
  readonly standing: readonly { readonly checkout: string; readonly operation: string }[];
}

export interface Present {
  readonly count: number;
  readonly last: Point | null;
  readonly everybody: readonly string[];
  /** The names that agents chose. */
  readonly chosen: Readonly<Record<string, string>>;
  /** Below 100, only `status` is known. */
  readonly read_percent: number;
  readonly status: PresentStatus;
}

export interface Extent {
  readonly count: number;
  readonly bytes: number;
  readonly first: Point | null;
  readonly last: Point | null;
  readonly is_whole: boolean;
}

interface DenialPage {
  readonly total: number;
  readonly denials: readonly DenialSeen[];
}

export interface ContentAnswer {
  readonly digest: string;
  readonly state: 'kept' | 'not_kept' | 'too_large';
  readonly bytes: string | null;
}

export interface ForecastShown {
  readonly trunk_ref: { readonly name?: string } | null;
  readonly checkouts: readonly {
    readonly id: string;
    readonly path: string;
    readonly branch: string | null;
    readonly has_own: boolean;
  }[];
  readonly pairs: readonly { readonly a: string; readonly b: string; readonly files: readonly string[] }[];
  readonly trunk: readonly { readonly id: string; readonly files: readonly string[] }[];
  readonly order: { readonly first: readonly string[] };
  readonly notes: readonly string[];
}

/** The answer for each address. */
export interface Answers {
  readonly '/page/history': Extent;
  readonly '/page/at': SceneThen;
  readonly '/page/timeline': Timeline;
  readonly '/page/contention': { readonly directories: readonly DirectoryContention[] };
  readonly '/page/denials': DenialPage;
  readonly '/page/content': ContentAnswer;
  readonly '/page/forecast': ForecastShown;
}
