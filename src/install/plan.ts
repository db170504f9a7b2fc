/** What `guard init` will change, as plain data. Pure: facts in, plan out; `--dry-run` prints it, apply.ts carries it out. */
import { isDeepStrictEqual } from 'node:util';
import { type Preset, PRESETS } from '../config/schema.ts';
import type { Policy } from '../core/types.ts';
import { permissionRules } from './permission-rules.ts';
import { type EventSet, hookTable, type McpNames } from './entries.ts';
import { type FileChange, type FileFound, isChange } from './file-change.ts';
import { plannedGitHooks, type WantedGitHook } from './git-hook/change.ts';
import { type HostFound, isHostFile, placeHost } from './hosts/place.ts';
import { LAUNCHER_FILE } from './launcher.ts';
import { placeOwn, removeOwn } from './own-file.ts';
import { registerServer, removeServer, serverRules } from './mcp-file.ts';
import type { Scope } from './scopes.ts';
import { hookSettings, type PlannedFile, unhookSettings } from './settings-change.ts';
import type { UndoFiles } from './undo.ts';
import type { WantedFile } from './status-line.ts';
import { absoluteLine, projectLine } from './warm-line.ts';

/** What install.json records, or would record. */
export interface InstallRecord {
  readonly guard_root: string;
  readonly command: string;
  readonly enforcement_floor: Policy['enforcement'];
  readonly unread_floor: Policy['unread'];
}

export interface InstallFacts {
  readonly scope: Scope;
  /** `null`: keep the recorded one; `standard` the first time. */
  readonly preset: Preset | null;
  readonly guard_root: string;
  /** Absolute path of the Node that is running. */
  readonly node: string;
  /** From agent-command.ts. */
  readonly command: string;
  readonly events: EventSet;
  /** Whether hooks ask a server first. */
  readonly is_warm: boolean;
  /** `shared`: from the repository's configuration alone; `own`: also from the user's. */
  readonly mcp: { readonly shared: McpNames; readonly own: McpNames };
  readonly settings: Readonly<Record<Scope, FileFound>>;
  /** `undefined`: leave it unchanged. `null`: remove it. */
  readonly status_line?: WantedFile['status_line'];
  /** The client to set up, if it is not Claude Code. */
  readonly host: HostFound | null;
  /** `null` if the MCP server is not to be registered. */
  readonly mcp_file: FileFound | null;
  readonly launcher: FileFound;
  readonly launcher_source: Buffer;
  readonly git_hooks: readonly WantedGitHook[];
  /** For this repository, and for the user scope. */
  readonly undo: { readonly repo: UndoFiles; readonly user: UndoFiles };
  /** `null` if not initialised. */
  readonly on_record: InstallRecord | null;
  /** The state directory exists, is safe, and was made by this user's guard. */
  readonly is_believed: boolean;
}

export interface InstallPlan {
  readonly scope: Scope;
  /** Files that get guard's entries, whether they change or not. */
  readonly placed: readonly PlannedFile[];
  /** Files of this repository in every scope: git hooks. */
  readonly beside: readonly PlannedFile[];
  /** Files that lose their entries because the scope has changed. */
  readonly left: readonly FileChange[];
  readonly record: InstallRecord;
  readonly is_warm: boolean;
  readonly changes: readonly FileChange[];
  /** True if running it would change nothing at all. */
  readonly is_done: boolean;
}

export function planInstall(facts: InstallFacts): InstallPlan {
  const placed = facts.host === null ? PLACES[facts.scope](facts) : placeHost(facts, facts.host);
  const left = facts.host === null ? leftFiles(facts, placed) : [];
  const record = recordFor(facts);
  const beside = plannedGitHooks(facts, facts.undo.repo);
  const changes = [...[...placed, ...beside].map((file) => file.change), ...left].filter(isChange);
  const is_done = facts.is_believed && changes.length === 0 && isDeepStrictEqual(record, facts.on_record);
  const { scope, is_warm } = facts;
  return { scope, is_warm, placed, beside, left, record, changes, is_done };
}

const PLACES: Readonly<Record<Scope, (facts: InstallFacts) => readonly PlannedFile[]>> = {
  project: (facts) => {
    const hooks = hookTable(projectLine(facts), facts.events, facts.mcp.shared);
    const rules = [...permissionRules('guard'), ...(facts.mcp_file === null ? [] : serverRules())];
    const shared = place(facts, 'project', { hooks, rules });
    const server = facts.mcp_file === null ? [] : [register(facts, facts.mcp_file)];
    const known = facts.undo.repo[facts.launcher.target];
    const launcher = placeOwn(facts.launcher, facts.launcher_source, known, LAUNCHER_FILE);
    const { command, status_line } = facts;
    if (command === 'guard' && status_line == null) return [launcher, shared, ...server];
    // Neither a path of this machine nor one person's status line belongs in a committed file.
    const rules_here = command === 'guard' ? [] : permissionRules(command);
    const own = place(facts, 'local', { hooks: {}, rules: rules_here, status_line });
    return [launcher, shared, own, ...server];
  },
  local: (facts) => [place(facts, 'local', ownEntries(facts))],
  user: (facts) => [place(facts, 'user', ownEntries(facts))],
};

const register = (facts: InstallFacts, found: FileFound): PlannedFile =>
  registerServer(found, facts.undo.repo[found.target]);

function ownEntries(facts: InstallFacts): WantedFile {
  const hooks = hookTable(absoluteLine(facts), facts.events, facts.mcp.own);
  return { hooks, rules: permissionRules(facts.command), status_line: facts.status_line };
}

function place(facts: InstallFacts, scope: Scope, wanted: WantedFile): PlannedFile {
  const found = facts.settings[scope];
  return hookSettings(found, wanted, undoOf(facts, scope)[found.target]);
}

const undoOf = (facts: InstallFacts, scope: Scope): UndoFiles =>
  scope === 'user' ? facts.undo.user : facts.undo.repo;

/** Files of another scope in this checkout that an earlier init changed. What a team committed is theirs to remove. */
function leftFiles(facts: InstallFacts, placed: readonly PlannedFile[]): readonly FileChange[] {
  const kept = placed.map((file) => file.change.found.target);
  const isLeft = (found: FileFound) =>
    !kept.includes(found.target) && facts.undo.repo[found.target]?.made === true;
  const settings = (['project', 'local'] as const)
    .map((scope) => facts.settings[scope])
    .filter(isLeft)
    .map((found) => unhookSettings(found, facts.undo.repo[found.target]));
  const { launcher, mcp_file } = facts;
  const entryOf = (found: FileFound) => facts.undo.repo[found.target];
  return [
    ...settings,
    ...(isLeft(launcher) && !Object.keys(facts.undo.repo).some(isHostFile)
      ? [removeOwn(launcher, entryOf(launcher), LAUNCHER_FILE)]
      : []),
    ...(mcp_file !== null && isLeft(mcp_file) ? [removeServer(mcp_file, entryOf(mcp_file))] : []),
  ];
}

function recordFor(facts: InstallFacts): InstallRecord {
  const { guard_root, command, on_record } = facts;
  const preset = facts.preset ?? (on_record === null ? 'standard' : null);
  if (preset !== null) {
    const { enforcement, unread } = PRESETS[preset];
    return { guard_root, command, enforcement_floor: enforcement, unread_floor: unread };
  }
  const { enforcement_floor = 'required', unread_floor = 'changed' } = on_record ?? {};
  return { guard_root, command, enforcement_floor, unread_floor };
}
