/**
 * MCP servers that read and write files of the checkout, as published (names and arguments looked up in November 2026):
 * which of their tools write, which show a file, and which argument of each names the file. A row applies to server
 * keys that sound like it. The configuration's own rows take precedence (tools.ts).
 */
import { attempt } from '../../core/attempt.ts';
import { asText } from '../fields.ts';
import type { HookInput } from '../hook-input.ts';
import { valuesAt } from './places.ts';

type Paths = readonly string[];

interface Row {
  /** Matches the server's key, without a plugin's prefix. */
  readonly key: string;
  readonly writers: Readonly<Record<string, Paths>>;
  readonly readers: Readonly<Record<string, Paths>>;
  /** The argument that names the base of relative paths; if it is missing here or in the call, the project's directory. */
  readonly base?: string;
}

/** Tools with the arguments that contain their paths; both are separated by spaces. */
const tools = (paths: string, names: string): Record<string, Paths> =>
  Object.fromEntries(names.split(' ').map((name) => [name, paths.split(' ')]));

/** A server for files elsewhere has no files of this checkout, whatever its name. */
const HERE =
  '(?![\\w-]*(?:remote|ssh|sftp|ftp|s3|drive|cloud|sandbox|docker|e2b|azure|gcs|container|notion))';

const ROWS: Readonly<Record<string, Row>> = {
  filesystem: {
    key: `${HERE}(?:[\\w-]*file[-_]?sys(?:tem)?s?[\\w-]*|(?:[\\w-]*[-_])?(?:fs|files?)(?:[-_][\\w-]*)?)`,
    writers: {
      ...tools('path', 'write_file edit_file create_file update_file append_file modify_file delete_file'),
      ...tools('path', 'write edit delete search_and_replace search_and_replace_file'),
      ...tools('source destination', 'move_file rename_file move'),
      ...tools('destination', 'copy_file'),
      ...tools('source_path destination_path', 'move_path'),
      ...tools('destination_path', 'copy_path'),
    },
    readers: {
      ...tools('path', 'read_file read_text_file read_media_file read'),
      ...tools('paths', 'read_multiple_files'),
    },
  },
  serena: {
    key: '[\\w-]*serena[\\w-]*',
    writers: {
      ...tools('relative_path', 'create_text_file replace_content replace_regex replace_lines delete_lines'),
      ...tools('relative_path', 'insert_at_line replace_symbol_body insert_after_symbol'),
      ...tools('relative_path', 'insert_before_symbol rename_symbol safe_delete_symbol'),
    },
    readers: tools('relative_path', 'read_file'),
  },
  jetbrains: {
    key: '[\\w-]*(?:jetbrains|intellij|webstorm|pycharm|phpstorm|goland|rubymine|clion|rustrover|rider|idea)[\\w-]*',
    writers: {
      ...tools('pathInProject', 'replace_text_in_file replace_file_text_by_path replace_specific_text'),
      ...tools('pathInProject', 'create_new_file create_new_file_with_text rename_refactoring'),
      ...tools('pathInProject path', 'reformat_file replaceTextInFile createNewFile reformatFile'),
      ...tools('pathInProject path', 'renameRefactoring'),
    },
    readers: tools('pathInProject', 'get_file_text_by_path getFileTextByPath'),
    base: 'projectPath',
  },
  'desktop-commander': {
    key: '[\\w-]*(?:desktop|py)[-_]?commander[\\w-]*',
    writers: {
      ...tools('path', 'write_file'),
      ...tools('file_path', 'edit_block'),
      ...tools('source destination', 'move_file'),
      ...tools('path outputPath', 'write_pdf'),
    },
    readers: { ...tools('path', 'read_file'), ...tools('paths', 'read_multiple_files') },
  },
  'text-editor': {
    key: '[\\w-]*text[-_]?editor[\\w-]*',
    writers: {
      ...tools('file_path', 'create_text_file append_text_file_contents insert_text_file_contents'),
      ...tools('file_path', 'delete_text_file_contents patch_text_file_contents'),
      ...tools('files.file_path files.path', 'edit_text_file_contents'),
    },
    readers: tools('files.file_path', 'get_text_file_contents'),
  },
  morph: {
    key: '[\\w-]*morph[\\w-]*',
    writers: {
      ...tools('path', 'edit_file write_file tiny_edit_file'),
      ...tools('source destination', 'move_file'),
    },
    readers: tools('path', 'read_file'),
  },
  wcgw: {
    key: '[\\w-]*wcgw[\\w-]*',
    writers: tools('file_path', 'FileWriteOrEdit WriteIfEmpty FileEdit'),
    readers: tools('file_paths', 'ReadFiles'),
  },
  // A Claude Code that serves its own tools (`claude mcp serve`), under any key.
  claude: {
    key: '[\\w-]+?',
    writers: { ...tools('file_path', 'Write Edit MultiEdit'), ...tools('notebook_path', 'NotebookEdit') },
    readers: tools('file_path', 'Read'),
  },
};

type Kind = 'writers' | 'readers';

/** The paths that a call of such a tool names, as the server resolves them; null if it is not such a tool. */
export function knownPaths(input: HookInput, kind: Kind): string[] | null {
  const called = /^mcp__(?:plugin_)?(.+?)__(\w+)$/.exec(input.tool);
  if (called === null) return null;
  const [, key = '', tool = ''] = called;
  const row = Object.values(ROWS).find((one) => Object.hasOwn(one[kind], tool) && isKey(one, key));
  if (row === undefined) return null;
  const base = asText(input.tool_input[row.base ?? '']) || input.project;
  const given = (row[kind][tool] ?? []).flatMap((place) => valuesAt(input.tool_input, place.split('.')));
  // Without this argument the server refuses the call.
  return given.length === 0 ? null : [...new Set(given.map((path) => against(base, path)))];
}

const isKey = ({ key }: Row, given: string): boolean => new RegExp(`^${key}$`, 'i').test(given);

/** A server runs in the directory where its client was started, even if the session has moved since; `~` is the home directory. */
export function against(base: string, given: string): string {
  const path = /^file:\/\/(?:localhost)?\//i.test(given) ? fromUri(given) : given;
  return /^(?:[/\\~]|[A-Za-z]:[/\\])/.test(path) ? path : `${base}/${path}`;
}

function fromUri(uri: string): string {
  const path = uri.replace(/^file:\/\/(?:localhost)?/i, '').replace(/^\/([A-Za-z]:)/, '$1');
  return attempt(() => decodeURIComponent(path), path);
}

/** Whether a row recognises the server's key by its name. */
export const isKnownServer = (key: string): boolean =>
  Object.entries(ROWS).some(([id, row]) => id !== 'claude' && isKey(row, key.replace(/^plugin_/, '')));
