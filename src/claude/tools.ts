/** Which tool calls concern guard, and where each says which file it means. */
import { asText } from './fields.ts';
import type { HookInput } from './input.ts';
import { mcpPaths } from './mcp/paths.ts';

export interface McpTool {
  /** Full tool name, or its beginning followed by one `*`. */
  readonly tool: string;
  /** Dotted places in tool_input that hold a path or a list of paths. */
  readonly paths: readonly string[];
  /** The user's own word (config/schema.ts). */
  readonly own?: true;
}

/** The configuration's rows; they win over the built-in ones, a user's reader also over a built-in writer. */
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
  Object.hasOwn(WRITERS, input.tool) ? ownPaths(input, WRITERS) : ofServer(input, mcp, 'writers');

export const readerPaths = (input: HookInput, mcp: McpTools): string[] | null =>
  Object.hasOwn(READERS, input.tool) ? ownPaths(input, READERS) : ofServer(input, mcp, 'readers');

const ownPaths = ({ tool, tool_input }: HookInput, table: typeof WRITERS): string[] => {
  const given = (table[tool] ?? []).map((name) => asText(tool_input[name])).filter((path) => path !== '');
  return [...new Set(given)];
};

const ofServer = (input: HookInput, mcp: McpTools, kind: keyof McpTools): string[] | null =>
  input.tool.startsWith('mcp__') ? mcpPaths(input, mcp, kind) : null;

/** Known without reading any configuration: a call of this tool cannot concern guard. */
export function concernsNobody({ event, tool }: HookInput): boolean {
  if (tool === '' || tool.startsWith('mcp__')) return false;
  return !(event === 'PreToolUse' ? JUDGED.has(tool) || writesElsewhere(tool) : OWN.has(tool));
}

/** Before a tool runs only writes are judged, Bash is told who it speaks for, and an agent may wait for another one. */
const JUDGED = new Set([...WRITER_NAMES, 'Bash', 'PowerShell', 'Agent', 'Task']);
const OWN = new Set([...JUDGED, ...READER_NAMES]);

/** A tool of another client that writes files, by its name: guard cannot read its calls (hosts/foreign-write.ts). */
export const writesElsewhere = (tool: string): boolean =>
  ELSEWHERE.test(tool) && !Object.hasOwn(WRITERS, tool);

const ELSEWHERE =
  /^(?:apply_?patch|(?:multi_?|str_?|notebook_?)?(?:edit|replace|write|create|patch|insert)(?:_?(?:(?:to_|in_)?file|notebook|editor|text|based_edit).*)?)$/i;

/** True for tools that certainly write no files that guard looks after. */
export const cannotWrite = (tool: string): boolean =>
  tool !== '' && !tool.startsWith('mcp__') && !Object.hasOwn(WRITERS, tool) && !writesElsewhere(tool);
