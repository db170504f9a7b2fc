/** Which tool calls concern guard, and where each says which file it means. */
import { asText } from './fields.ts';
import type { HookInput } from './hook-input.ts';
import { mcpPaths } from './mcp/paths.ts';
import type { McpTools } from './mcp/mcp-tools.ts';

/** How a call tells what it leaves in the file (text/expected.ts, edit-result.ts). */
export type WrittenAs = 'content' | 'edit' | 'edits' | 'cells';

/**
 * A tool of a client that names files: the fields of tool_input that may hold the path, and what its call tells of what it
 * leaves. Absent: it reads. Null: it writes, and that cannot be told.
 */
type Tool = readonly [paths: readonly string[], writes?: WrittenAs | null];

const FILE = ['file_path', 'filePath', 'path'];
/** hooks/guard-hook.cjs has the names of those that write; a test compares. These every Claude Code has. */
const CLAUDE = {
  Edit: [FILE, 'edit'],
  Write: [FILE, 'content'],
  NotebookEdit: [['notebook_path', 'notebookPath'], 'cells'],
} as const satisfies Readonly<Record<string, Tool>>;
const ROWS: Readonly<Record<string, Tool>> = {
  // In this order in committed matchers, which `guard init` compares letter by letter. MultiEdit is of older clients.
  Edit: CLAUDE.Edit,
  Write: CLAUDE.Write,
  MultiEdit: [FILE, 'edits'],
  NotebookEdit: CLAUDE.NotebookEdit,
  // Names of other hosts that run the same settings file.
  create_file: [FILE, 'content'],
  replace_string_in_file: [FILE, 'edit'],
  insert_edit_into_file: [FILE, null],
  Read: [FILE],
  read_file: [FILE],
};

const TOOLS = new Map(Object.entries(ROWS));

export const CLAUDE_WRITERS: readonly string[] = Object.keys(CLAUDE);

/** Undefined of a tool that is no writer, too. */
export const writtenBy = (tool: string): WrittenAs | null | undefined => TOOLS.get(tool)?.[1];

const NAMES = [...TOOLS.keys()];
export const WRITER_NAMES = NAMES.filter((name) => writtenBy(name) !== undefined);
export const READER_NAMES = NAMES.filter((name) => writtenBy(name) === undefined);

/** The paths as given that a writing call is about; null when the tool is no writer. */
export const writerPaths = (input: HookInput, mcp: McpTools): readonly string[] | null =>
  input.paths ?? (writtenBy(input.tool) === undefined ? ofServer(input, mcp, 'writers') : ownPaths(input));

export const readerPaths = (input: HookInput, mcp: McpTools): string[] | null =>
  READER_NAMES.includes(input.tool) ? ownPaths(input) : ofServer(input, mcp, 'readers');

/** What the fields of a client's own tool name, each once; for another tool nothing. */
export const ownPaths = ({ tool, tool_input }: Pick<HookInput, 'tool' | 'tool_input'>): string[] => {
  const given = (TOOLS.get(tool)?.[0] ?? []).map((name) => asText(tool_input[name]));
  return [...new Set(given.filter((path) => path !== ''))];
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
const OWN = new Set([...JUDGED, ...NAMES]);

/** A tool of another client that writes files, by its name: guard cannot read its calls (hosts/foreign-write.ts). */
export const writesElsewhere = (tool: string): boolean =>
  ELSEWHERE.test(tool) && writtenBy(tool) === undefined;

const ELSEWHERE =
  /^(?:apply_?patch|(?:multi_?|str_?|notebook_?)?(?:edit|replace|write|create|patch|insert)(?:_?(?:(?:to_|in_)?file|notebook|editor|text|based_edit).*)?)$/i;

/** True for tools that certainly write no files that guard looks after. */
export const cannotWrite = (tool: string): boolean =>
  tool !== '' && !tool.startsWith('mcp__') && writtenBy(tool) === undefined && !writesElsewhere(tool);
