/** Which tool calls concern guard, and where each says which file it means. */
import { asText } from './input.ts';
import type { Fields, HookInput } from './input.ts';
import { knownPaths } from './mcp/known.ts';

export interface McpTool {
  /** Full tool name, or its beginning followed by one `*`. */
  readonly tool: string;
  /** Dotted places in tool_input that hold a path or a list of paths. */
  readonly paths: readonly string[];
}

/** The configuration's rows; they win over the built-in ones, also a reader over a built-in writer. */
export interface McpTools {
  readonly writers: readonly McpTool[];
  readonly readers: readonly McpTool[];
}

const FILE = ['file_path', 'filePath', 'path'];
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  Edit: FILE,
  Write: FILE,
  MultiEdit: FILE,
  NotebookEdit: ['notebook_path', 'notebookPath'],
  // Names of other hosts that run the same settings file.
  create_file: FILE,
  replace_string_in_file: FILE,
  insert_edit_into_file: FILE,
};
const READERS: Readonly<Record<string, readonly string[]>> = { Read: FILE, read_file: FILE };

export const WRITER_NAMES: readonly string[] = Object.keys(WRITERS);
export const READER_NAMES: readonly string[] = Object.keys(READERS);

/** The paths as given that a writing call is about; null when the tool is no writer. */
export const writerPaths = (input: HookInput, mcp: McpTools): string[] | null =>
  Object.hasOwn(WRITERS, input.tool) ? ownPaths(input, WRITERS) : mcpPaths(input, mcp, 'writers');

export const readerPaths = (input: HookInput, mcp: McpTools): string[] | null =>
  Object.hasOwn(READERS, input.tool) ? ownPaths(input, READERS) : mcpPaths(input, mcp, 'readers');

const ownPaths = ({ tool, tool_input }: HookInput, table: typeof WRITERS): string[] => {
  const given = (table[tool] ?? []).map((name) => asText(tool_input[name])).filter((path) => path !== '');
  return [...new Set(given)];
};

function mcpPaths(input: HookInput, mcp: McpTools, kind: keyof McpTools): string[] | null {
  if (!input.tool.startsWith('mcp__')) return null;
  // All entries that match count together: one file's broad pattern must not hide another's exact name.
  const configured = mcp[kind].filter((entry) => matches(entry.tool, input.tool));
  if (configured.length === 0) return isConfigured(input.tool, mcp) ? null : knownPaths(input, kind);
  const places = new Set(configured.flatMap((entry) => entry.paths));
  return [...places].flatMap((place) => valuesAt(input.tool_input, place.split('.')));
}

export const isConfigured = (tool: string, { writers, readers }: McpTools): boolean =>
  [...writers, ...readers].some((entry) => matches(entry.tool, tool));

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value))
    return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return typeof value === 'string' && value !== '' ? [value] : [];
  return typeof value === 'object' && value !== null ? valuesAt((value as Fields)[name], rest) : [];
}

/** Known without reading any configuration: a call of this tool cannot concern guard. */
export function concernsNobody({ event, tool }: HookInput): boolean {
  if (tool === '' || tool.startsWith('mcp__')) return false;
  return !(event === 'PreToolUse' ? JUDGED.has(tool) || writesElsewhere(tool) : OWN.has(tool));
}

/** Before a tool runs only writes are judged, and Bash is told who it speaks for. */
const JUDGED = new Set([...WRITER_NAMES, 'Bash']);
const OWN = new Set([...JUDGED, ...READER_NAMES, 'Agent', 'Task']);

/** A tool of another client that writes files, by its name: guard cannot read its calls (hosts/foreign-write.ts). */
export const writesElsewhere = (tool: string): boolean =>
  /^(?:apply_?patch|(?:multi_?|str_?)?(?:edit|replace|write|create|patch|insert)(?:_?(?:file|notebook|editor|text).*)?)$/i.test(
    tool,
  ) && !Object.hasOwn(WRITERS, tool);

/** True for tools that certainly write no files that guard looks after. */
export const cannotWrite = (tool: string): boolean =>
  tool !== '' && !tool.startsWith('mcp__') && !Object.hasOwn(WRITERS, tool) && !writesElsewhere(tool);
