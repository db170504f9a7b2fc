/** Which tool calls concern guard, and which argument of each names the file. */
import { asText } from './fields.ts';
import type { HookInput } from './hook-input.ts';
import { mcpPaths } from './mcp/paths.ts';
import type { McpTools } from './mcp/mcp-tools.ts';

/** How a call shows what it leaves in the file (text/expected.ts, edit-result.ts). */
export type WrittenAs = 'content' | 'edit' | 'edits' | 'cells';

/**
 * A client's tool that names files: the fields of tool_input that may contain the path, and how its call shows what it
 * leaves. Absent: it reads. Null: it writes, but the result is unknown.
 */
type Tool = readonly [paths: readonly string[], writes?: WrittenAs | null];

const FILE = ['file_path', 'filePath', 'path'];
/** hooks/guard-hook.cjs has the names of the writing ones; a test compares them. Every Claude Code has these tools. */
const CLAUDE = {
  Edit: [FILE, 'edit'],
  Write: [FILE, 'content'],
  NotebookEdit: [['notebook_path', 'notebookPath'], 'cells'],
} as const satisfies Readonly<Record<string, Tool>>;
const ROWS: Readonly<Record<string, Tool>> = {
  // Committed matchers have this order, and `guard init` compares them literally. Older clients have MultiEdit.
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

/** Also undefined for a tool that does not write. */
export const writtenBy = (tool: string): WrittenAs | null | undefined => TOOLS.get(tool)?.[1];

const NAMES = [...TOOLS.keys()];
export const WRITER_NAMES = NAMES.filter((name) => writtenBy(name) !== undefined);
export const READER_NAMES = NAMES.filter((name) => writtenBy(name) === undefined);

/** The paths, as given, that a writing call names; null if the tool does not write. */
export const writerPaths = (input: HookInput, mcp: McpTools): readonly string[] | null =>
  input.paths ?? (writtenBy(input.tool) === undefined ? ofServer(input, mcp, 'writers') : ownPaths(input));

export const readerPaths = (input: HookInput, mcp: McpTools): string[] | null =>
  READER_NAMES.includes(input.tool) ? ownPaths(input) : ofServer(input, mcp, 'readers');

/** The paths in the fields of a client's own tool, each once; empty for another tool. */
export const ownPaths = ({ tool, tool_input }: Pick<HookInput, 'tool' | 'tool_input'>): string[] => {
  const given = (TOOLS.get(tool)?.[0] ?? []).map((name) => asText(tool_input[name]));
  return [...new Set(given.filter((path) => path !== ''))];
};

const ofServer = (input: HookInput, mcp: McpTools, kind: keyof McpTools): string[] | null =>
  input.tool.startsWith('mcp__') ? mcpPaths(input, mcp, kind) : null;

/** Whether a call of this tool cannot concern guard, decided without reading any configuration. */
export function concernsNobody({ event, tool }: HookInput): boolean {
  if (tool === '' || tool.startsWith('mcp__')) return false;
  return !(event === 'PreToolUse' ? JUDGED.has(tool) || writesElsewhere(tool) : OWN.has(tool));
}

/** Before a tool runs, only writes are checked, Bash is told which agent it speaks for, and an agent may wait for another. */
const JUDGED = new Set([...WRITER_NAMES, 'Bash', 'PowerShell', 'Agent', 'Task']);
const OWN = new Set([...JUDGED, ...NAMES]);

/** A tool of another client that writes files, recognised by its name: guard cannot read its calls (hosts/foreign-write.ts). */
export const writesElsewhere = (tool: string): boolean =>
  ELSEWHERE.test(tool) && writtenBy(tool) === undefined;

const ELSEWHERE =
  /^(?:apply_?patch|(?:multi_?|str_?|notebook_?)?(?:edit|replace|write|create|patch|insert)(?:_?(?:(?:to_|in_)?file|notebook|editor|text|based_edit).*)?)$/i;

/** Whether a tool certainly writes no files that guard protects. */
export const cannotWrite = (tool: string): boolean =>
  tool !== '' && !tool.startsWith('mcp__') && writtenBy(tool) === undefined && !writesElsewhere(tool);
