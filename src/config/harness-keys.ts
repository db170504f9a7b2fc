/** The keys of the configuration that concern drafted agents: what a file may say. */
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

export const STREAM_TIMEOUT_MS = { min: 1_000, max: 86_400_000 } as const;
export const BOUND_MAX = 100;

type Fields = Readonly<Record<string, unknown>>;
type Report = (pointer: string, reason: string, hint: string) => void;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export function checkHarness(fields: Fields, report: Report): HarnessLayer {
  const mcp = fieldsOf(fields['mcp']);
  const agents = fields['agents'];
  if (
    agents !== undefined &&
    Object.keys(fieldsOf(agents)).some((name) => name !== 'depth' && name !== 'running')
  )
    report('/agents', '"agents" has keys that guard does not know', 'Possible: "depth", "running".');
  if (agents !== undefined && fieldsOf(agents) !== agents)
    report('/agents', '"agents" must be an object', 'Write {"depth": 3, "running": 8}.');
  const { min, max } = STREAM_TIMEOUT_MS;
  const found = {
    full_access: categories(mcp['fullAccessCategories'], report),
    stream_timeout_ms: whole(mcp['streamTimeout'], '/mcp/streamTimeout', min, max, report),
    tasks_dir: directory(fields['tasksDir'], '/tasksDir', report),
    roles_dir: directory(fields['rolesDir'], '/rolesDir', report),
    depth: whole(fieldsOf(agents)['depth'], '/agents/depth', 1, BOUND_MAX, report),
    running: whole(fieldsOf(agents)['running'], '/agents/running', 1, BOUND_MAX, report),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function categories(raw: unknown, report: Report): readonly string[] | undefined {
  if (raw === undefined) return undefined;
  const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';
  if (Array.isArray(raw) && raw.every(isName)) return raw;
  const hint = 'Write a list of categories: ["conversational"].';
  report('/mcp/fullAccessCategories', '"fullAccessCategories" must be a list of texts', hint);
  return undefined;
}

function whole(raw: unknown, at: string, min: number, max: number, report: Report): number | undefined {
  if (raw === undefined) return undefined;
  if (typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max) return raw;
  report(at, `"${at.slice(at.lastIndexOf('/') + 1)}" must be a whole number`, `From ${min} to ${max}.`);
  return undefined;
}

/** Relative, without a way up, and spelled in one way; links are judged where the directory is used. */
function directory(raw: unknown, at: string, report: Report): string | undefined {
  if (raw === undefined) return undefined;
  const isPlain =
    typeof raw === 'string' &&
    /^[^/\\\0]/.test(raw) &&
    !/^[a-z]:/i.test(raw) &&
    !raw.split(/[/\\]/).some((part) => part === '..' || part === '.git');
  const parts = isPlain ? raw.split(/[/\\]+/).filter((part) => part !== '' && part !== '.') : [];
  if (parts.length > 0) return parts.join('/');
  report(at, `"${at.slice(1)}" must be a directory below the root of the checkout`, 'Write a relative path.');
  return undefined;
}
