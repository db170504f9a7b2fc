/** `.mcp.json` of a project install: guard's MCP server among others, whose bytes stay unchanged. */
import { digestBytes } from '../repo/digest.ts';
import { GuardError } from '../core/error.ts';
import { COORDINATION_NAMES, LOCK_TOOLS } from '../core/lock-tools.ts';
import { LAUNCHER } from './command.ts';
import type { FileChange, FileFound } from './file-change.ts';
import { asObject } from '../core/json-object.ts';
import { removeAt, setAt } from './json-text.ts';
import { isGuardServer, type McpServer } from './mcp-server.ts';
import { bytesOf, planned, type PlannedFile, readOrThrow } from './settings-change.ts';
import type { SettingsText } from './settings-text.ts';
import type { UndoEntry } from './undo.ts';

export const SERVER_KEY = 'guard';

/** Starts through the committed launcher, which finds guard on each machine. */
export const PROJECT_SERVER: McpServer = {
  command: 'node',
  args: [`\${CLAUDE_PROJECT_DIR:-.}/${LAUNCHER}`, 'mcp'],
};

/** The tools that agents may call without asking once the server is registered. */
export const serverRules = (): readonly string[] =>
  [...LOCK_TOOLS, ...COORDINATION_NAMES].map((tool) => `mcp__${SERVER_KEY}__${tool}`);

/** @throws GuardError GUARD_ERR_SETTINGS if the file cannot be edited, or another program has the key */
export function registerServer(found: FileFound, known: UndoEntry | undefined): PlannedFile {
  const read = readOrThrow(found);
  const entry = entryIn(read);
  if (entry !== undefined && !isGuardServer(entry)) throw taken(found.path);
  const text = entry === undefined ? setAt(read.text, ['mcpServers', SERVER_KEY], PROJECT_SERVER) : read.text;
  const after = text === read.text ? found.bytes : Buffer.from(read.bom + text, 'utf8');
  return planned({ found, after }, removeServer(found, known).after, known);
}

/** Restores the file exactly if no one else changed it; otherwise removes guard's server. Without an undo entry it stays. */
export function removeServer(found: FileFound, known: UndoEntry | undefined): FileChange {
  if (found.bytes === null || known === undefined) return { found, after: found.bytes };
  const read = readOrThrow(found);
  if (!isGuardServer(entryIn(read))) return { found, after: found.bytes };
  if (digestBytes(found.bytes) === known.after) return { found, after: bytesOf(known.before) };
  return { found, after: Buffer.from(read.bom + removeAt(read.text, ['mcpServers', SERVER_KEY]), 'utf8') };
}

const entryIn = ({ value }: SettingsText): unknown => asObject(value['mcpServers'])[SERVER_KEY];

const taken = (path: string): GuardError =>
  new GuardError(
    'GUARD_ERR_SETTINGS',
    `${path} has another server under the key "${SERVER_KEY}".`,
    'Nothing was changed. Give that server another key, and run the command again.',
    { file: path },
  );
