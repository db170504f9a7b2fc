// Runs guard's hook. Made by `guard init`; commit it with .claude/settings.json.
//
// Every machine has guard in another place, so this file looks for it: where `guard init` was run from
// (install.json in the state directory of this clone), then node_modules/guard. Nothing is looked up on PATH and
// nothing is downloaded. Where guard is not installed, it says what to run; writes pass then with a notice, unless
// guard.config.json says "enforcement": "required".
//
// The plugin form of guard starts this same file from its own hooks/ directory.
//
// Syntax of ES2019: an old Node must get as far as saying that it is too old.
'use strict';
const fs = require('fs');
const path = require('path');

const NEEDED = [20, 19];
const WRITE_TOOLS = [
  'Edit',
  'Write',
  'MultiEdit',
  'NotebookEdit',
  'create_file',
  'replace_string_in_file',
  'insert_edit_into_file',
];

const home = path.dirname(__dirname);
const isPlugin = nameIn(path.join(home, '.claude-plugin', 'plugin.json')) === 'guard';
const project = isPlugin ? process.env.CLAUDE_PROJECT_DIR || process.cwd() : home;

const root = findGuard();
if (process.argv[2] === 'mcp') serveMcp();
else if (root === null) answerWithout(toInstall());
else if (nodeIsTooOld())
  answerWithout('guard needs Node ' + NEEDED.join('.') + ', but "node" is ' + process.version + '.');
else require(path.join(root, 'dist', 'hook.cjs'));

/** The same file starts guard's MCP server: `node .claude/guard-hook.cjs mcp`. */
function serveMcp() {
  if (root !== null && !nodeIsTooOld()) {
    import(require('url').pathToFileURL(path.join(root, 'bin', 'guard.mjs')).href);
    return;
  }
  process.stderr.write('guard: ' + toInstall() + '\n');
  process.exitCode = 1;
}

function findGuard() {
  if (isPlugin && isGuard(home)) return home;
  // A plugin runs in every project, trusted or not: it takes no code out of one.
  return firstAbove(recordedIn) || (isPlugin ? null : firstAbove(installedIn));
}

/** What `look` finds in the project's directory, or in the nearest one above it. */
function firstAbove(look) {
  for (let dir = project; ; dir = path.dirname(dir)) {
    const root = look(dir);
    if (root !== null && isGuard(root)) return root;
    if (dir === path.dirname(dir)) return null;
  }
}

function recordedIn(dir) {
  const state = stateDir(dir);
  const install = state === null ? null : json(path.join(state, 'install.json'));
  return install !== null && typeof install.guard_root === 'string' ? install.guard_root : null;
}

function installedIn(dir) {
  return path.join(dir, 'node_modules', 'guard');
}

function isGuard(dir) {
  return (
    nameIn(path.join(dir, 'package.json')) === 'guard' && fs.existsSync(path.join(dir, 'dist', 'hook.cjs'))
  );
}

/** The state directory that belongs to a checkout whose root is `dir`, or null. */
function stateDir(dir) {
  const common = gitCommonDir(path.join(dir, '.git'));
  if (common !== null) return ours(path.join(common, 'guard'));
  return isPlugin ? null : ours(path.join(dir, '.guard'));
}

/** `.git` is a directory; or a file, in submodules and linked worktrees (the latter share the main one's). */
function gitCommonDir(dotGit) {
  try {
    if (fs.statSync(dotGit).isDirectory()) return dotGit;
    const named = /^gitdir: (.*)/.exec(fs.readFileSync(dotGit, 'utf8'));
    if (named === null) return null;
    const gitDir = path.resolve(path.dirname(dotGit), named[1]);
    const common = path.join(gitDir, 'commondir');
    return fs.existsSync(common) ? path.resolve(gitDir, fs.readFileSync(common, 'utf8').trim()) : gitDir;
  } catch {
    return null;
  }
}

/** What install.json names is run: it must be this user's, in a directory that nobody else can write. */
function ours(dir) {
  try {
    const stat = fs.lstatSync(dir);
    if (!stat.isDirectory()) return null;
    if (process.getuid === undefined) return dir;
    return stat.uid === process.getuid() && (stat.mode & 18) === 0 ? dir : null;
  } catch {
    return null;
  }
}

function answerWithout(notice) {
  const event = readEvent();
  const required = isRequired();
  if (event === null) {
    process.stderr.write('guard: the event cannot be read. ' + notice + '\n');
    // Not a decision: the entry for write tools makes a denial of it, every other event goes on.
    process.exitCode = required ? 1 : 0;
  } else if (event.hook_event_name === 'PreToolUse' && isWriteTool(event.tool_name)) {
    if (required) deny(event, notice);
    else say({ systemMessage: notice + ' This write is not guarded.' });
  } else if (event.hook_event_name === 'SessionStart') {
    say({
      systemMessage:
        notice + (required ? ' Until then writes are denied.' : ' Until then nothing is guarded.'),
    });
  }
}

function deny(event, notice) {
  const input = event.tool_input || {};
  const reason = {
    error_type: 'GUARD_ERROR',
    message: 'guard cannot judge this write, so it is denied: guard is not running on this machine.',
    details: {
      path: input.file_path || input.notebook_path || input.filePath || null,
      code: 'GUARD_ERR_NOT_INITIALISED',
      cause: notice,
      next: ['Ask the user to set guard up on this machine'],
    },
    recovery_hint: notice,
  };
  say({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: JSON.stringify(reason),
    },
  });
  process.stderr.write('guard: ' + notice + '\n');
  process.exitCode = 2;
}

function say(output) {
  fs.writeSync(1, JSON.stringify(output) + '\n');
}

function toInstall() {
  if (isPlugin && !fs.existsSync(path.join(home, 'dist', 'hook.cjs'))) {
    return 'The guard plugin is not built. Run: npm ci --prefix "' + home + '"';
  }
  return (
    'This repository uses guard, which is not set up on this machine. Install guard, then run in ' +
    project +
    ': guard init'
  );
}

/** A configuration that cannot be read might say "required". Presets are short for it (guard's config/schema.ts). */
function isRequired() {
  const file = path.join(project, 'guard.config.json');
  if (!fs.existsSync(file)) return false;
  const config = json(file);
  if (config === null) return true;
  if (config.enforcement !== undefined) return config.enforcement === 'required';
  return config.preset === 'standard' || config.preset === 'strict';
}

/** Of MCP tools Claude Code sends only the configured writers here; a host that ignores matchers sends them all. */
function isWriteTool(tool) {
  if (WRITE_TOOLS.includes(tool)) return true;
  const config = json(path.join(project, 'guard.config.json'));
  const writers =
    config !== null && config.mcp && Array.isArray(config.mcp.writers) ? config.mcp.writers : [];
  return writers.some((writer) => {
    const name = writer === null ? undefined : writer.tool;
    if (typeof name !== 'string' || typeof tool !== 'string') return false;
    return name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : tool === name;
  });
}

function readEvent() {
  try {
    const event = JSON.parse(fs.readFileSync(0, 'utf8'));
    return typeof event === 'object' ? event : null;
  } catch {
    return null;
  }
}

function nodeIsTooOld() {
  const version = process.versions.node.split('.').map(Number);
  return version[0] < NEEDED[0] || (version[0] === NEEDED[0] && version[1] < NEEDED[1]);
}

function nameIn(file) {
  const value = json(file);
  return value === null ? undefined : value.name;
}

/** Null for whatever is not a readable JSON object. */
function json(file) {
  try {
    const value = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
