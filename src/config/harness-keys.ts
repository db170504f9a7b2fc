/** The configuration keys for drafted agents, as layers and in force (file-keys.ts has the rows). */
import { DEFAULT_BOUNDS } from '../core/agent-limits.ts';
import type { Bounds } from '../core/drafts.ts';
import { ROLES_DIR } from './schema.ts';

export interface HarnessLayer {
  /** Role categories that get all harness tools. */
  readonly full_access?: readonly string[];
  readonly stream_timeout_ms?: number;
  readonly tasks_dir?: string;
  readonly roles_dir?: string;
  readonly depth?: number;
  readonly running?: number;
}

export type HarnessConfig = Required<Omit<HarnessLayer, 'depth' | 'running'>> & { readonly bounds: Bounds };

export const HARNESS_DEFAULTS: HarnessConfig = {
  full_access: ['conversational'],
  stream_timeout_ms: 600_000,
  tasks_dir: '.agents/tasks',
  roles_dir: ROLES_DIR,
  bounds: DEFAULT_BOUNDS,
};
