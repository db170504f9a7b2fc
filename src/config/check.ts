/**
 * Checks a parsed configuration file against the table. By hand, not with a schema library: 3 KB instead of
 * zod/mini's in the hook, and reasons in the words of this product (docs/decisions/022).
 */
import { checkHarness } from './harness-keys.ts';
import type { HarnessLayer } from './harness-keys.ts';
import { pointerPart } from './pointer.ts';
import {
  type ConfigFile,
  KEYS,
  type McpTool,
  type McpTools,
  PRESET,
  type Preset,
  SETTING_NAMES,
  type Settings,
  type Wrong,
} from './schema.ts';
import type { UndoLayer } from '../core/undo-limits.ts';
import { didYouMean } from './suggest.ts';
import { checkUndo } from './undo-keys.ts';

/** One file's or one environment's say. */
export interface Layer {
  readonly preset: Preset | null;
  readonly settings: Partial<Settings>;
  readonly mcp: McpTools;
  readonly lock_servers: readonly string[];
  readonly harness: HarnessLayer;
  readonly undo: UndoLayer;
  readonly allow_weaker: boolean;
}

/** `pointer` is the JSON pointer of the key or list item that is wrong. */
export interface Problem extends Wrong {
  readonly pointer: string;
}

/** What a file may hold depends on whose it is. */
export type FileOwner = 'user' | 'repository';

export const EMPTY_MCP: McpTools = { writers: [], readers: [] };

type Fields = Readonly<Record<string, unknown>>;
type Report = (pointer: string, reason: string, hint: string) => void;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkNames(fields: Fields, pointer: string, names: readonly string[], report: Report): void {
  for (const name of Object.keys(fields)) {
    if (names.includes(name)) continue;
    report(
      `${pointer}/${pointerPart(name)}`,
      `"${name.slice(0, 60)}" is not a key of guard's configuration`,
      didYouMean(name, names),
    );
  }
}

/** Built-in tools are judged by guard itself: a `Write` listed as a reader would switch that off. */
export const TOOL_PATTERN = '^mcp__[^*\\s]+\\*?$';
export const PLACE_PATTERN = '^[^.\\s]+(\\.[^.\\s]+)*$';

function readTool(raw: unknown, pointer: string, report: Report): McpTool | null {
  if (!isFields(raw)) {
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

function readTools(raw: unknown, pointer: string, report: Report): readonly McpTool[] {
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    report(
      pointer,
      'this is not a list',
      'Write a list: [{"tool": "mcp__server__tool", "paths": ["path"]}].',
    );
    return [];
  }
  return raw
    .map((item, index) => readTool(item, `${pointer}/${index}`, report))
    .filter((tool) => tool !== null);
}

function readMcp(raw: unknown, report: Report): McpTools {
  if (raw === undefined) return EMPTY_MCP;
  if (!isFields(raw)) {
    report('/mcp', '"mcp" must be an object', 'Write {"writers": [], "readers": []}.');
    return EMPTY_MCP;
  }
  checkNames(raw, '/mcp', ['writers', 'readers', 'fullAccessCategories', 'streamTimeout'], report);
  return {
    writers: readTools(raw['writers'], '/mcp/writers', report),
    readers: readTools(raw['readers'], '/mcp/readers', report),
  };
}

export const SERVER_PATTERN = '^[\\w-]{1,64}$';

function readServers(raw: unknown, report: Report): readonly string[] {
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && new RegExp(SERVER_PATTERN).test(name);
  if (raw === undefined) return [];
  if (Array.isArray(raw) && raw.every(isName)) return raw;
  const hint = 'Write the keys under which the client knows the servers: ["mala-locking"].';
  report('/lock_servers', '"lock_servers" must be a list of server keys', hint);
  return [];
}

/** `"deadlock": {"victim": …}` as the flat keys of the table. */
function readDeadlock(raw: unknown, report: Report): Fields {
  if (raw === undefined) return {};
  if (!isFields(raw)) {
    report('/deadlock', '"deadlock" must be an object', 'Write {"victim": "youngest", "resolve": "notify"}.');
    return {};
  }
  checkNames(raw, '/deadlock', ['victim', 'resolve'], report);
  return { deadlock_victim: raw['victim'], deadlock_resolve: raw['resolve'] };
}

/** A flat key as the file spells it. */
export const spelled = (name: string): string => name.replace(/^deadlock_/, 'deadlock/');

/** The keys with one value each; also for the environment and for flags, which have no others. */
export function readSettings(fields: Fields, report: Report): Pick<Layer, 'preset' | 'settings'> {
  const settings: { -readonly [K in keyof Settings]?: Settings[K] } = {};
  // The parameter ties the value to its key.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  const read = <K extends keyof Settings>(name: K): void => {
    if (fields[name] === undefined) return;
    const parsed = KEYS[name].parse(fields[name]);
    if ('wrong' in parsed) report(`/${name}`, `"${name}": ${parsed.wrong.reason}`, parsed.wrong.hint);
    else settings[name] = parsed.value;
  };
  SETTING_NAMES.forEach(read);
  const preset = fields['preset'] === undefined ? null : PRESET.parse(fields['preset']);
  if (preset !== null && 'wrong' in preset)
    report('/preset', `"preset": ${preset.wrong.reason}`, preset.wrong.hint);
  return { preset: preset !== null && 'value' in preset ? preset.value : null, settings };
}

function checkOwner(fields: Fields, owner: FileOwner, report: Report): void {
  const { $schema, allow_weaker } = fields;
  if ($schema !== undefined && typeof $schema !== 'string')
    report('/$schema', '"$schema" must be a string', 'Remove it.');
  if (allow_weaker === undefined) return;
  if (owner === 'repository') {
    report(
      '/allow_weaker',
      '"allow_weaker" is not for a repository to say',
      'Put it into your user configuration.',
    );
  } else if (typeof allow_weaker !== 'boolean') {
    report('/allow_weaker', '"allow_weaker" must be true or false', 'Write true or false, without quotes.');
  }
}

/** Top-level keys of a file, in the order of the published schema. */
export const FILE_KEYS = [
  '$schema',
  'preset',
  ...SETTING_NAMES.filter((name) => spelled(name) === name),
  'mcp',
  'deadlock',
  'lock_servers',
  'tasksDir',
  'rolesDir',
  'agents',
  'undo',
  'allow_weaker',
] as readonly (keyof ConfigFile)[];

export function checkFile(value: unknown, owner: FileOwner): { layer: Layer; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (pointer, reason, hint) => void problems.push({ pointer, reason, hint });
  const fields = isFields(value) ? value : {};
  if (!isFields(value)) report('', 'a configuration is an object', 'Write {} for an empty one.');
  checkNames(fields, '', FILE_KEYS, report);
  checkOwner(fields, owner, report);
  const mcp = readMcp(fields['mcp'], report);
  const flat = { ...fields, ...readDeadlock(fields['deadlock'], report) };
  const settings = readSettings(flat, (pointer, ...rest) => report(`/${spelled(pointer.slice(1))}`, ...rest));
  const lock_servers = readServers(fields['lock_servers'], report);
  const harness = checkHarness(fields, report);
  const undo = checkUndo(fields['undo'], report);
  return {
    layer: { ...settings, mcp, lock_servers, harness, undo, allow_weaker: fields['allow_weaker'] === true },
    problems,
  };
}
