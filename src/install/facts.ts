/** Reads everything that planning an installation depends on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { loadWarm } from '../config/warm.ts';
import type { Preset } from '../config/schema.ts';
import { isBelieved } from '../repo/known/belief.ts';
import { floorsOnMark } from '../repo/known/marking.ts';
import { type Install, readInstall } from '../repo/install.ts';
import type { Repo } from '../repo/locate.ts';
import { realPath } from '../repo/real-path.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { agentCommand } from './agent-command.ts';
import { type Client, eventsFor } from './client.ts';
import { LAUNCHER, MCP_FILE } from './command.ts';
import { RECENT_EVENTS } from './entries.ts';
import { type FileFound, findFile } from './file-change.ts';
import type { CommandOnRecord } from './guard-command.ts';
import { findGitHook } from './git-hook/find.ts';
import type { GitHookName } from './git-hook/script.ts';
import { guardRoot } from './guard-root.ts';
import { hookNode } from './hook-node.ts';
import { mcpNamesFor } from './mcp-names.ts';
import { guardLines } from './hook-lines.ts';
import type { InstallFacts, InstallRecord } from './plan.ts';
import { type Scope, settingsPath } from './scopes.ts';
import { settingsIn } from './settings-text.ts';
import { findHost, type HostName, hostScope } from './hosts/index.ts';
import { ownBook, userBook } from './own-book.ts';
import { scopeOnRecord } from './scope-on-record.ts';
import type { UndoBook } from './undo.ts';
import { wantedLine } from './status-line-wish.ts';
import { isWarmLine } from './warm-line.ts';

export interface InstallWish {
  /** `null`: where it is installed now; `project` the first time. */
  readonly scope: Scope | null;
  readonly preset: Preset | null;
  /** A client other than Claude Code. `null` or absent: Claude Code itself. */
  readonly host?: HostName | null;
  /** Register guard's MCP server; one that is registered stays so. */
  readonly mcp?: boolean;
  readonly git_hooks?: readonly GitHookName[];
  /** `null`: as configured, or else unchanged. */
  readonly warm?: boolean | null;
  /** Whether guard makes the client's worktrees. `null`: unchanged. */
  readonly worktrees?: boolean | null;
  /** `null`: unchanged. */
  readonly statusline?: boolean | null;
}

export interface InstallPlace {
  readonly repo: Repo;
  readonly env: Environment;
  readonly guard_root: string;
  readonly client: Client;
}

export function installFacts(wish: InstallWish, place: InstallPlace): InstallFacts {
  const { repo, env, guard_root } = place;
  const books = () => ({ own: ownBook(repo, env), user: userBook(repo, env) });
  const scope =
    wish.scope ?? (wish.host ? hostScope(wish.host, place, books().user) : scopeOnRecord(repo, env, books()));
  const path = (of: Scope) => settingsPath(of, repo.root, env);
  const settings = {
    project: findFile(path('project')),
    local: findFile(path('local')),
    // An install in another scope does not depend on the user's own settings, broken or not.
    user: scope === 'user' ? findFile(path('user')) : missing(path('user')),
  };
  const launcher = findFile(join(repo.root, LAUNCHER));
  // After the files: whatever another `guard init` has left in them by now is in its undo book, too.
  const { own, user } = books();
  const command = agentCommand(guard_root, process.execPath, env);
  const events = eventsFor(place.client, () => hasEvent(settings[scope], RECENT_EVENTS));
  return {
    scope,
    preset: wish.preset,
    guard_root,
    node: hookNode({ env, root: repo.root }),
    command,
    events,
    is_warm: isWarm(wish, place, settings[scope]),
    host: wish.host ? findHost(wish.host, scope, place) : null,
    mcp: mcpNamesFor(repo, env, wish.worktrees ?? hasEvent(settings[scope], MAKES_WORKTREES)),
    settings,
    status_line: wantedLine(wish.statusline, { scope, settings, command, events, root: repo.root, env }),
    mcp_file: mcpFile(wish, join(repo.root, MCP_FILE), own),
    launcher,
    git_hooks: (wish.git_hooks ?? []).map((name) => ({ name, found: findGitHook(name, repo, env) })),
    launcher_source: readFileSync(join(guardRoot(), 'hooks', 'guard-hook.cjs')),
    undo: { repo: own.files, user: user.files },
    on_record: recordOf(repo, env),
    is_believed: repo.initialised && isBelieved(repo, env),
  };
}

const MAKES_WORKTREES: ReadonlySet<string> = new Set(['WorktreeCreate']);

/** An unreadable file has none. */
const hasEvent = ({ bytes }: FileFound, events: ReadonlySet<string>): boolean =>
  guardLines(settingsIn(bytes)).some(({ event }) => events.has(event));

/** The repository is about to be initialised, so its configuration already counts. */
const isWarm = ({ warm = null }: InstallWish, { repo, env }: InstallPlace, { bytes }: FileFound): boolean =>
  process.platform !== 'win32' &&
  (warm ??
    loadWarm({ repo: { ...repo, initialised: true }, env }).warm ??
    guardLines(settingsIn(bytes)).some(({ command }) => isWarmLine(command)));

function mcpFile(wish: InstallWish, path: string, own: UndoBook): FileFound | null {
  return wish.mcp === true || own.files[realPath(path)] !== undefined ? findFile(path) : null;
}

const missing = (path: string) => ({ path, target: path, is_link: false, bytes: null, mode: 0o644 });

/** An untrusted directory counts as unrecorded; this user's mark still counts, whatever became of the directory. */
function recordOf(repo: Repo, env: Environment): InstallRecord | null {
  if (!repo.initialised) return null;
  const floors = floorsOnMark(repo, env);
  const lost = floors && { guard_root: '', command: '', ...floors };
  if (!isBelieved(repo, env)) return lost;
  // `guard init` is what repairs a damaged install.json; apply.ts refuses one that a newer guard wrote.
  const install = attempt((): (Install & CommandOnRecord) | null => readInstall(repo.state_dir), null);
  if (install === null) return lost;
  const { guard_root, command = '', enforcement_floor, unread_floor = 'changed' } = install;
  return { guard_root, command, enforcement_floor, unread_floor };
}
