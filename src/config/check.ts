/**
 * Checks a parsed configuration file against the table. Hand-written instead of using a schema library: 3 KB instead of
 * zod/mini's in the hook, and reasons in guard's own terms (docs/decisions/022).
 */
import { isObject, type JsonObject as Fields } from '../core/json-object.ts';
import {
  ARCHIVE_KEYS,
  HARNESS_KEYS,
  PLACED_KEYS,
  SERVERS_KEY,
  UNDO_KEYS,
  WARM_KEYS,
  type WarmLayer,
} from './file-keys.ts';
import type { HarnessLayer } from './harness-keys.ts';
import { pointerPart } from './pointer.ts';
import { readFileKey, readKeys, fieldAt } from './read-keys.ts';
import { type OneValueEach, readSettings, type ReportWrong as Report } from './read-settings.ts';
import type { Wrong } from './key-kinds.ts';
import { type McpToolSetting, type McpToolSettings, SETTING_NAMES, type Settings } from './schema.ts';
import type { ArchiveLayer } from '../core/archive-limits.ts';
import type { UndoLayer } from '../core/undo-limits.ts';
import { type EngineLayer, OWN_KEYS } from './own-key-rows.ts';
import { type FileOwner, type OwnKeys, readOwnKeys } from './own-keys.ts';
import { didYouMean } from './suggest.ts';

/** The settings of one file or one environment. */
export interface Layer extends OneValueEach, OwnKeys {
  readonly mcp: McpToolSettings;
  readonly lock_servers: readonly string[];
  readonly harness: HarnessLayer;
  readonly undo: UndoLayer;
  readonly archive_keep: ArchiveLayer;
  readonly warm: WarmLayer;
}

/** `pointer` is the JSON pointer of the wrong key or list item. */
export interface ConfigProblem extends Wrong {
  readonly pointer: string;
}

function checkNames(fields: Fields, pointer: string, names: readonly string[], report: Report): void {
  const where = pointer === '' ? '' : ` "${pointer.slice(1).replaceAll('/', '.')}" in`;
  for (const name of Object.keys(fields)) {
    if (names.includes(name)) continue;
    report(
      `${pointer}/${pointerPart(name)}`,
      `"${name.slice(0, 60)}" is not a key of${where} guard's configuration`,
      didYouMean(name, names),
    );
  }
}

/** guard itself checks built-in tools: a `Write` listed as a reader would switch that off. */
export const TOOL_PATTERN = '^mcp__[^*\\s]+\\*?$';
export const PLACE_PATTERN = '^[^.\\s]+(\\.[^.\\s]+)*$';

function readTool(raw: unknown, pointer: string, report: Report): McpToolSetting | null {
  if (!isObject(raw)) {
    report(pointer, 'this is not an object', 'Write {"tool": "mcp__server__tool", "paths": ["path"]}.');
    return null;
  }
  checkNames(raw, pointer, ['tool', 'paths'], report);
  const { tool, paths } = raw;
  const hint = 'Write the whole name of an MCP tool, as "mcp__fs__write_file", or its beginning and "*".';
  if (typeof tool !== 'string') report(`${pointer}/tool`, '"tool" must be a string', hint);
  else if (!new RegExp(TOOL_PATTERN).test(tool))
    report(`${pointer}/tool`, `"${tool.slice(0, 60)}" does not name MCP tools`, hint);
  const isPlace = (place: unknown): place is string =>
    typeof place === 'string' && new RegExp(PLACE_PATTERN).test(place);
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every(isPlace)) {
    const example = 'Name the fields of the tool\'s input that hold a path: ["path"], ["edits.file"].';
    report(`${pointer}/paths`, '"paths" must be a list of at least one place', example);
    return null;
  }
  return typeof tool === 'string' ? { tool, paths } : null;
}

function readTools(raw: unknown, pointer: string, report: Report): readonly McpToolSetting[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    const example = 'Write a list: [{"tool": "mcp__server__tool", "paths": ["path"]}].';
    report(pointer, 'this is not a list', example);
    return [];
  }
  return raw
    .map((item, index) => readTool(item, `${pointer}/${index}`, report))
    .filter((tool) => tool !== null);
}

/** A flat key as spelled in the file. */
export const spelled = (name: string): string => name.replace(/^deadlock_/, 'deadlock/');

/** Keys whose values are objects, with an example of each. */
const EXAMPLES = {
  mcp: '{"writers": [], "readers": []}',
  deadlock: '{"victim": "youngest", "resolve": "notify"}',
  agents: '{"depth": 3, "running": 8}',
  undo: '{"max_mb": 64, "max_age": "168h", "exclude": []}',
  archive_keep: '{"max_mb": 256, "max_age": "720h"}',
} as const;

const PLACES: readonly string[] = [
  ...['mcp/writers', 'mcp/readers'],
  ...SETTING_NAMES.map(spelled),
  ...PLACED_KEYS.map(({ place }) => place),
];

/** The keys of an object in the file, in the order of the published schema. */
export const namesBelow = (object: string): readonly string[] =>
  PLACES.filter((place) => place.startsWith(`${object}/`)).map((place) => place.slice(object.length + 1));

function checkObjects(fields: Fields, report: Report): void {
  for (const [name, example] of Object.entries(EXAMPLES)) {
    const value = fields[name];
    if (isObject(value)) checkNames(value, `/${name}`, namesBelow(name), report);
    else if (value !== undefined) report(`/${name}`, `"${name}" must be an object`, `Write ${example}.`);
  }
}

const readMcp = (fields: Fields, report: Report): McpToolSettings => ({
  writers: readTools(fieldAt(fields, 'mcp/writers'), '/mcp/writers', report),
  readers: readTools(fieldAt(fields, 'mcp/readers'), '/mcp/readers', report),
});

/** Top-level keys of a file, in the order of the published schema. */
export const FILE_KEYS = [
  ...['$schema', 'preset', ...SETTING_NAMES.filter((name) => spelled(name) === name)],
  ...['mcp', 'deadlock', 'lock_servers', 'tasksDir', 'rolesDir', 'agents', 'undo', 'archive_keep'],
  ...['warm', 'warm_idle', ...OWN_KEYS.map(({ place }) => place)],
] as readonly FileKeyName[];

type Flat = Exclude<keyof Settings, `deadlock_${string}`>;
type OfFile =
  | '$schema'
  | 'preset'
  | 'lock_servers'
  | 'tasksDir'
  | 'rolesDir'
  | 'warm'
  | 'warm_idle'
  | keyof OwnKeys
  | keyof EngineLayer;
export type FileKeyName = Flat | OfFile | keyof typeof EXAMPLES;

export function checkFile(
  value: unknown,
  owner: FileOwner,
): { layer: Layer; problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = [];
  const report: Report = (pointer, reason, hint) => void problems.push({ pointer, reason, hint });
  const fields = isObject(value) ? value : {};
  if (!isObject(value)) report('', 'a configuration is an object', 'Write {} for an empty one.');
  checkNames(fields, '', FILE_KEYS, report);
  const own = readOwnKeys(fields, owner, report);
  checkObjects(fields, report);
  const mcp = readMcp(fields, report);
  const flat = Object.fromEntries(SETTING_NAMES.map((name) => [name, fieldAt(fields, spelled(name))]));
  const settings = readSettings({ preset: fields['preset'], ...flat }, (pointer, ...rest) =>
    report(`/${spelled(pointer.slice(1))}`, ...rest),
  );
  const lock_servers = readFileKey(SERVERS_KEY, fields, report) ?? [];
  const harness = readKeys<HarnessLayer>(HARNESS_KEYS, fields, report);
  const undo = readKeys<UndoLayer>(UNDO_KEYS, fields, report);
  const archive_keep = readKeys<ArchiveLayer>(ARCHIVE_KEYS, fields, report);
  const warm = readKeys<WarmLayer>(WARM_KEYS, fields, report);
  return {
    layer: { ...settings, mcp, lock_servers, harness, undo, archive_keep, warm, ...own },
    problems,
  };
}
