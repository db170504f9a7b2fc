/** Which tool calls concern guard, and where each says which file it means. */
import { asText } from './input.ts';
import type { Fields, HookInput } from './input.ts';

export interface McpTool {
  /** Full tool name, or its beginning followed by one `*`. */
  readonly tool: string;
  /** Dotted places in tool_input that hold a path or a list of paths. */
  readonly paths: readonly string[];
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
export const writerPaths = (input: HookInput, mcp: readonly McpTool[]): string[] | null =>
  pathsOf(input.tool, input.tool_input, WRITERS, mcp);

export const readerPaths = (input: HookInput, mcp: readonly McpTool[]): string[] | null =>
  pathsOf(input.tool, input.tool_input, READERS, mcp);

export function pathsOf(
  tool: string,
  tool_input: Fields,
  table: Readonly<Record<string, readonly string[]>>,
  mcp: readonly McpTool[],
): string[] | null {
  if (Object.hasOwn(table, tool)) {
    const given = (table[tool] ?? []).map((name) => asText(tool_input[name])).filter((path) => path !== '');
    return [...new Set(given)];
  }
  // All entries that match count together: one file's broad pattern must not hide another's exact name.
  const configured = mcp.filter((entry) => matches(entry.tool, tool));
  if (configured.length === 0) return null;
  const places = new Set(configured.flatMap((entry) => entry.paths));
  return [...places].flatMap((place) => valuesAt(tool_input, place.split('.')));
}

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
  return !(event === 'PreToolUse' ? JUDGED : OWN).has(tool);
}

/** Before a tool runs only writes are judged, and Bash is told who it speaks for. */
const JUDGED = new Set([...WRITER_NAMES, 'Bash']);
const OWN = new Set([...JUDGED, ...READER_NAMES, 'Agent', 'Task']);

/** True for tools that certainly write no files that guard looks after. */
export const cannotWrite = (tool: string): boolean =>
  tool !== '' && !tool.startsWith('mcp__') && !Object.hasOwn(WRITERS, tool);

/** Whether a call that could not be judged must be taken for a write. `writers` may throw: then nobody knows. */
export function mayWrite(input: HookInput, writers: () => readonly McpTool[]): boolean {
  if (cannotWrite(input.tool)) return false;
  if (!input.tool.startsWith('mcp__')) return true;
  try {
    return writerPaths(input, writers()) !== null;
  } catch {
    return true;
  }
}
