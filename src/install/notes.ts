/** What a person should know after `guard init`, one line each. */
import { settingsIn } from './settings-text.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OF_ONE_NODE } from './agent-command.ts';
import { guardRoot } from './guard-root.ts';
import { guardLines } from './hook-lines.ts';
import { hookNode } from './hook-node.ts';
import { settingsPath } from './scopes.ts';
import type { Repo } from '../repo/locate.ts';
import { isStandalone } from '../repo/standalone.ts';
import type { Environment } from '../repo/user-dirs.ts';
import { type Client, eventsFor } from './client.ts';
import { LAUNCHER, MCP_FILE } from './command.ts';
import { shellWord } from '../core/shell-word.ts';
import { nodeNote } from './node-note.ts';
import { limitsOf } from './promises.ts';
import { isGitIgnored } from './git-ignored.ts';
import type { McpServer } from './mcp-server.ts';
import type { InstallPlan } from './plan.ts';
import { everywhere, inWorkspaces, workspaceFiles } from './workspaces.ts';

export interface NoteFacts {
  readonly plan: InstallPlan;
  readonly repo: Repo;
  readonly client: Client;
  readonly env: Environment;
  /** `--mcp` was given. */
  readonly mcp?: boolean;
  /** mcp-servers.ts. */
  readonly servers_not_judged?: readonly string[];
  /** other-hosts.ts. */
  readonly other_hosts?: readonly string[];
}

const PRESETS =
  'Presets: standard for most teams; strict if nothing may be overwritten unread; auto if agents should not have to ask for locks.';

export function installNotes(facts: NoteFacts): readonly string[] {
  const lines = facts.plan.is_done
    ? []
    : [
        PRESETS,
        commitNote(facts),
        nodeNote(facts.plan.scope, facts.env),
        commandNote(facts),
        worktreesNote(facts),
        serverNote(facts),
      ];
  const found = [clientNote, workspacesNote, ignoredNote, disabledNote, serversNote, hostsNote];
  return [...lines, ...found.map((note) => note(facts))].filter((line) => line !== null);
}

function commitNote({ plan, repo }: NoteFacts): string | null {
  if (plan.scope !== 'project' || repo.common_dir === null) return null;
  return `Commit .claude/settings.json and ${LAUNCHER}; every other clone needs its own "guard init". Everything else in .claude (settings.local.json, *.guard-backup) belongs to this machine.`;
}

function commandNote({ plan }: NoteFacts): string | null {
  const { command, guard_root } = plan.record;
  if (command === 'guard') return null;
  const shorter = existsSync(join(guard_root, '.git'))
    ? `run "npm link" in ${guard_root}`
    : shorterBy(guardRoot());
  const how = shorter === '' ? '' : ` (to make that "guard", ${shorter}, then run "guard init" again)`;
  return `Agents will call guard as: ${command}${how}.`;
}

/** Without it, the client creates several at the same time, and some of them fail. */
function worktreesNote({ plan, repo, client }: NoteFacts): string | null {
  if (repo.common_dir === null || eventsFor(client, () => false) === 'known' || makesWorktrees(plan))
    return null;
  return 'If agents work in worktrees (claude --worktree, isolation: "worktree"), run "guard init --worktrees" too: then they are created one after another, and none fails because git is busy with another.';
}

const makesWorktrees = ({ placed }: InstallPlan): boolean =>
  placed.some(({ change }) =>
    guardLines(settingsIn(change.after)).some(({ event }) => event === 'WorktreeCreate'),
  );

/** For a global install whose commands are not on PATH. If a cache or a project contains guard, nothing makes it shorter. */
function shorterBy(running: string): string {
  if (isStandalone()) return `put ${process.execPath} on PATH under that name`;
  const prefix = /^(.*)[/\\]lib[/\\]node_modules[/\\]/.exec(`${running}/`)?.[1];
  const bin = prefix === undefined ? null : join(prefix, 'bin');
  if (bin === null || OF_ONE_NODE.test(`${bin}/`) || !existsSync(join(bin, 'guard'))) return '';
  return `put ${bin} on PATH`;
}

/** Outside of a project, the client keeps its servers in another file, which its own command edits. */
function serverNote({ plan, repo, env, mcp }: NoteFacts): string | null {
  if (mcp !== true) return null;
  const file = `${plan.record.guard_root}/bin/guard.cjs`;
  // Other clients take the variable in the project's entry literally, as part of the path.
  const node = isStandalone() ? hookNode({ env, root: repo.root }) : 'node';
  const plain: McpServer = { command: node, args: [file, 'mcp', '--agent', 'NAME'] };
  if (plan.scope === 'project')
    return `Commit ${MCP_FILE} too; the client asks each person once to approve it. If a client other than Claude Code cannot start it, give that client: ${JSON.stringify(plain)}`;
  const program = shellWord(file);
  return `To register the MCP server for this scope, run: claude mcp add --scope ${plan.scope} guard -- ${shellWord(node)} ${program} mcp`;
}

function clientNote({ client }: NoteFacts): string | null {
  if (client.version === null)
    return 'Claude Code was not found on PATH, so only the hooks that every version knows are installed. Put "claude" on PATH and run "guard init" again: newer versions know more.';
  const lacks = limitsOf(client).map((limit) => limit.lacks);
  if (lacks.length === 0) return null;
  return `Claude Code ${client.version} is old: "guard doctor" says which promises do not hold with it (it lacks ${lacks.join(', ')}).`;
}

/** In the user scope, sessions may start anywhere. */
function workspacesNote({ plan, repo }: NoteFacts): string | null {
  const files = plan.scope === 'user' ? [] : workspaceFiles(repo.root);
  return files.length === 0 ? null : `${inWorkspaces(repo.root, files)}. ${everywhere(repo.root)}`;
}

function serversNote({ servers_not_judged: servers = [] }: NoteFacts): string | null {
  if (servers.length === 0) return null;
  return `MCP servers that guard stops only at files that another agent holds: ${servers.join(', ')}. If one of them writes files here, name its tools in "mcp.writers" of the configuration.`;
}

function hostsNote({ other_hosts = [] }: NoteFacts): string | null {
  if (other_hosts.length === 0) return null;
  return `Configured here without guard, so their writes take no locks: ${other_hosts.join(', ')}.`;
}

/** A `claude --worktree` session checks out the settings, so uncommitted ones do not guard there. */
function ignoredNote({ plan, repo, env }: NoteFacts): string | null {
  const path = settingsPath('project', repo.root, env);
  if (plan.scope !== 'project' || !isGitIgnored(repo.root, path)) return null;
  return `Warning: git ignores ${path}, so sessions in linked worktrees will not be guarded.`;
}

function disabledNote({ plan }: NoteFacts): string | null {
  const disabling = plan.placed.find(({ change }) => settingsIn(change.after)['disableAllHooks'] === true);
  if (disabling === undefined) return null;
  return `Warning: "disableAllHooks" in ${disabling.change.found.path} turns all hooks off, including guard's. Remove it.`;
}
