// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * An MCP tool that is not known as a writer: its effect on a path is unknown, so it is stopped only if the path is a
 * file that another agent holds or is writing, and the tool's name does not say that it only reads.
 */
import { bySpace, isLocated, locate } from '../events/targets.ts';
import { judgedNow } from '../events/judged-now.ts';
import type { Fields } from '../input.ts';
import type { HookSpace, Hook } from '../context.ts';
import type { Target } from '../../repo/canonical.ts';
import { against, knownPaths } from './known.ts';
import { toolOnlyLooks } from './names.ts';
import { isConfigured } from './paths.ts';

/**
 * Absolute paths of files that the call names and another agent has, and, as given, paths that lead through a process,
 * because it is unknown which file the server would find there.
 */
export function heldByOthers(hook: Hook): string[] {
  const { input, home } = hook;
  if (toolOnlyLooks(input.tool) || isConfigured(input.tool, home.config.mcp)) return [];
  if (knownPaths(input, 'readers') !== null || isElsewhere(input.tool_input)) return [];
  const given = pathsIn(input.tool_input).map((path) => against(input.project, path));
  const found = locate(hook, given);
  const held = [...bySpace(found.filter(isLocated))].flatMap(([space, files]) =>
    files.filter((file) => isHeld(hook, space, file)).map((file) => file.abs),
  );
  const astray = found.flatMap((one) => (isLocated(one) || one.reason !== 'of_process' ? [] : [one.given]));
  return [...held, ...astray];
}

const HELD: readonly (string | undefined)[] = ['LOCKED_BY_OTHER', 'WRITE_IN_FLIGHT'];

/** Checked without changing anything. */
function isHeld(hook: Hook, space: HookSpace, file: Target): boolean {
  if (!space.repo.initialised || file.kind === 'directory') return false;
  const { path, abs } = file;
  const disk = { state: 'missing' as const, digest: null, ctime_ms: 0 };
  const target = { path, abs, disk, form: null, baseline: null, seen_touched: 0, objections: [] };
  return judgedNow(hook, space, target).some(({ objection }) => HELD.includes(objection?.error_type));
}

/** Arguments whose value is a path wherever they occur; `uri` only with the scheme of a file. */
const PATH_NAME =
  /^(?:(?:file|relative|absolute|abs|full|target|source|src|dest|destination|output|input|out|new|old|from|to|save|local|notebook|project|workspace|repo)?_?-?paths?|paths?_?in_?project|files?|file_?names?|file_?uri|uris?|target|destination|dest|source|target_?file|output_?file|save_?(?:to|as)|to|from)$/i;

/** Deeper than in any call that was examined. */
const DEPTH = 4;
const MAX_PATHS = 64;
const MAX_CHARS = 4_096;

function pathsIn(input: Fields): string[] {
  const found = new Set<string>();
  collect(input, DEPTH, false, found);
  return [...found].slice(0, MAX_PATHS);
}

function collect(value: unknown, depth: number, isNamed: boolean, found: Set<string>): void {
  if (typeof value === 'string') {
    if (isNamed && isPathLike(value)) found.add(value);
  } else if (depth > 0 && typeof value === 'object' && value !== null) {
    const is_list = Array.isArray(value);
    for (const [name, item] of Object.entries(value))
      collect(item, depth - 1, is_list ? isNamed : PATH_NAME.test(name), found);
  }
}

function isPathLike(text: string): boolean {
  if (text === '' || text.length > MAX_CHARS || /[\0\n]/.test(text)) return false;
  return !/^[a-z][a-z0-9+.-]+:\/\//i.test(text) || /^file:\/\/(?:localhost)?\//i.test(text);
}

/** Arguments that show that the paths are not on this machine's disk: a hosted repository, a bucket, another host. */
function isElsewhere(input: Fields): boolean {
  const has = (...names: readonly string[]): boolean => names.every((name) => input[name] !== undefined);
  return ELSEWHERE.some((names) => has(...names));
}

const ELSEWHERE: readonly (readonly string[])[] = [
  ['owner', 'repo'],
  ['project_id', 'branch'],
  ['workspace_slug', 'repo_slug'],
  ['bucket'],
  ['sandbox_id'],
  ['container_id'],
];
