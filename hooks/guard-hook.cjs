// Runs guard's hook. Made by `guard init`; commit it with .claude/settings.json.
// Launcher 2
//
// Every machine has guard in another place, so this file looks for it where `guard init` was run from: install.json in
// the state directory of this clone, which must be the one that this user's guard made here. Nothing is looked up on
// PATH or in node_modules, and nothing is downloaded. Three answers:
//
//   never set up here                      a notice, writes pass, unless guard.config.json says "enforcement": "required"
//   set up here, something does not fit    writes are denied, with the command that repairs it
//   set up here                            guard runs
//
// guard itself asks the same questions in the same order (src/repo/known). The plugin form of guard starts this same
// file from its own hooks/ directory.
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
/** Known MCP writers and other clients' tools, as guard's entries take them (src/claude/mcp/names.ts, tools.ts). */
const MCP_WRITER =
  /^mcp__(?:[\w-]*(?:[fF]ile|fs|[sS]erena|[jJ]et[bB]rains|intellij|idea|storm|pycharm|goland|rubymine|clion|rustrover|rider|[cC]ommander|[eE]ditor|morph|wcgw)[\w-]*__\w*(?:[wW]rite|[eE]dit|replace|delete|remove|update|create|patch|move|rename|insert|append|save|set|put|apply|overwrite|modify|copy|reformat)\w*|[\w-]+__(?:Multi|Notebook)?(?:Edit|Write))$/;
const ELSEWHERE =
  /^(?:apply_?patch|(?:multi_?|str_?|notebook_?)?(?:edit|replace|write|create|patch|insert)(?:_?(?:(?:to_|in_)?file|notebook|editor|text|based_edit).*)?)$/i;
/** What is missing is no error: one costs 20 microseconds, and most of what is asked for is. */
const QUIET = { throwIfNoEntry: false };
/** Where an upgrade takes the program away for a moment. */
const AGAIN_MS = 200;
const TRIES = 2;
const DAY_MS = 24 * 3600000;

const home = path.dirname(__dirname);
const isPlugin = nameIn(path.join(home, '.claude-plugin', 'plugin.json')) === 'guard';
const project = real(isPlugin ? process.env.CLAUDE_PROJECT_DIR || process.cwd() : home);
const uid = process.getuid === undefined ? null : process.getuid();
const known = knownDirs();

try {
  main();
} catch (error) {
  const cause = 'guard cannot start: ' + String(error && error.message).split('\n')[0];
  answerWithout({ code: 'GUARD_ERR_INTERNAL', cause, step: 'guard doctor' });
}

function main() {
  // For the program: a launcher that does not say this is an old one.
  globalThis[Symbol.for('guard.launcher')] = 2;
  if (isPlugin && hasProgram(home)) return run(home, null);
  let found = look();
  for (let n = 0; n < TRIES && found.program === null && found.upgrades; n++) {
    wait(AGAIN_MS);
    found = look();
  }
  run(found.program, found.fault);
}

function run(program, fault) {
  if (process.argv[2] === 'mcp') return serveMcp(program, fault);
  if (program === null) return answerWithout(fault);
  if (nodeIsTooOld()) {
    return answerWithout({
      code: 'GUARD_ERR_NOT_INITIALISED',
      cause: 'guard needs Node ' + NEEDED.join('.') + ', but "node" is ' + process.version + '.',
      step: 'install Node ' + NEEDED.join('.') + ' or newer, and start the client with it',
    });
  }
  require(path.join(program, 'dist', 'hook.cjs'));
}

/** The same file starts guard's MCP server: `node .claude/guard-hook.cjs mcp`. */
function serveMcp(program, fault) {
  if (program !== null && !nodeIsTooOld()) {
    import(require('url').pathToFileURL(path.join(program, 'bin', 'guard.mjs')).href);
    return;
  }
  process.stderr.write(
    'guard: ' + (fault === null ? toInstall() : fault.cause + ' Run: ' + fault.step) + '\n',
  );
  process.exitCode = 1;
}

/** What there is in the project's directory and above it: a program to run, or why none is, or nothing at all. */
function look() {
  const own = gitPlace(project);
  const plain = own !== null && own.present ? programAt(own) : null;
  if (plain !== null) return { program: plain, fault: null, upgrades: false };
  const places = placesAbove(project);
  let fault = null;
  let upgrades = false;
  for (const place of places) {
    const install = place.present ? believed(place) : faultOfLost(place);
    if (install === null) continue;
    if (install.fault === undefined) {
      const program = programIn(install.guard_root);
      if (program !== null) return { program, fault: null, upgrades: false };
      upgrades = true;
      fault = {
        code: 'GUARD_ERR_NOT_INITIALISED',
        cause: gone(install.guard_root),
        step: again(place),
        place,
      };
    } else if (fault === null) fault = Object.assign({ place }, install.fault);
  }
  return { program: null, fault, upgrades };
}

/** The case of nearly every call, without a look at what is above: the innermost place is asked first anyway. */
function programAt(place) {
  const install = believed(place);
  return install.fault === undefined ? programIn(install.guard_root) : null;
}

function gitPlace(dir) {
  const git = gitDirs(path.join(dir, '.git'));
  return git === null ? null : place(git.common, path.join(git.common, 'guard'), dir);
}

function gone(dir) {
  return 'This repository is guarded, but the guard that it was set up with is not in ' + dir + '.';
}

function again(place) {
  return 'cd ' + word(place.root) + ' && guard init';
}

/** A package directory, or the home of several versions with a file that says which one counts. */
function programIn(root) {
  if (typeof root !== 'string' || !path.isAbsolute(root)) return null;
  const current = json(path.join(root, 'current.json'));
  if (current !== null && current.v === 1 && /^[\w][\w.+-]*$/.test(current.dir)) {
    const version = path.join(root, 'versions', current.dir);
    return hasProgram(version) ? version : null;
  }
  return hasProgram(root) ? root : null;
}

function hasProgram(dir) {
  return fs.existsSync(path.join(dir, 'dist', 'hook.cjs'));
}

/** Innermost first: where state is, or was (a mark without state). */
function placesAbove(start) {
  const places = [];
  const gits = [];
  for (let dir = start; ; dir = path.dirname(dir)) {
    const git = gitDirs(path.join(dir, '.git'));
    if (git !== null) gits.push({ root: dir, index: path.join(git.own, 'index') });
    const inGit = git === null ? null : place(git.common, path.join(git.common, 'guard'), dir);
    const plain = place(dir, path.join(dir, '.guard'), dir);
    if (inGit !== null) places.push(inGit);
    if ((inGit === null || !inGit.present) && isMarker(plain.state)) places.push(plain);
    else if (!plain.present) places.push(plain);
    if (dir === path.dirname(dir)) break;
  }
  return places.filter((one) => !isStray(one) && !isCommitted(one, gits));
}

function place(anchor, state, root) {
  return { anchor, state, root, present: isPresent(state) };
}

/** install.json, or `fault`: what is wrong, with the command that repairs it. */
function believed(place) {
  const state = place.state;
  const stat = fs.lstatSync(state, { bigint: true });
  const no = (cause, step) => ({
    fault: { code: 'GUARD_ERR_STATE_DIR', cause: state + ' ' + cause + '.', step: step || again(place) },
  });
  if (stat.isSymbolicLink()) return no('is a symbolic link');
  if (!stat.isDirectory()) return no('is not a directory');
  if (uid !== null && Number(stat.uid) !== uid) {
    const owner = Number(stat.uid);
    const root = 'the session as user ' + owner + ', or: chown -R 0 ' + word(state);
    return no('belongs to another user', uid === 0 ? root : 'sudo chown -R ' + uid + ' ' + word(state));
  }
  if (uid !== null && (Number(stat.mode) & 63) !== 0) return no('can be used by others');
  const file = path.join(state, 'install.json');
  const install = json(file);
  if (install === null || typeof install.guard_root !== 'string')
    return no(isPresent(file) ? 'has a damaged install.json' : 'has no install.json');
  const mark = readMark(place.anchor);
  if (install.id === undefined) {
    const own = mark !== null && isSame(mark.state, identity(stat));
    if (own || isOfThisMachine(state, install)) return install;
  } else if (mark !== null && mark.id === install.id) {
    if (isSame(mark.state, identity(stat))) return install;
    return no('is not the directory that guard made here (restored from a backup?)');
  }
  return no('was not made here by your guard (a copy, an archive, another machine or another HOME)');
}

/** This user set it up, and its state is gone. */
function faultOfLost(place) {
  if (readMark(place.anchor) === null) return null;
  const cause = place.state + ' was set up for guard, but is gone.';
  return { fault: { code: 'GUARD_ERR_NOT_INITIALISED', cause, step: again(place) } };
}

function identity(stat) {
  const birth = stat.birthtimeNs === stat.ctimeNs ? '0' : String(stat.birthtimeNs);
  return { dev: String(stat.dev), ino: String(stat.ino), birth };
}

function isSame(one, other) {
  if (!one || one.ino !== other.ino) return false;
  return one.birth === '0' || other.birth === '0' ? one.dev === other.dev : one.birth === other.birth;
}

/** Two places, because a shell and a client often differ in XDG_STATE_HOME. */
function markNames(anchor) {
  const git = identity(fs.lstatSync(anchor, { bigint: true }));
  return known.map((dir) => path.join(dir, git.ino + '-' + git.birth));
}

function readMark(anchor) {
  try {
    return first(markNames(anchor), (name) => markIn(name + '.json', anchor));
  } catch {
    return null;
  }
}

function markIn(file, anchor) {
  const stat = fs.lstatSync(file);
  if (!stat.isFile() || (uid !== null && (stat.uid !== uid || (stat.mode & 18) !== 0))) return null;
  const mark = json(file);
  return mark !== null && mark.v === 1 && (mark.git.birth !== '0' || mark.place === anchor) ? mark : null;
}

/** What `read` makes of the first that it makes something of; a failure is nothing. */
function first(names, read) {
  for (const name of names) {
    try {
      const value = read(name);
      if (value !== null) return value;
    } catch {
      // The next one.
    }
  }
  return null;
}

/** Installations of 0.1 have no mark: what an archive or a copy cannot carry says that they were made here. */
function isOfThisMachine(state, install) {
  try {
    const index = path.join(state, 'index');
    if (isPresent(index)) {
      const head = Buffer.alloc(64);
      const fd = fs.openSync(
        index,
        fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK,
      );
      const got = fs.readSync(fd, head, 0, 64, 0);
      fs.closeSync(fd);
      const lock = head.readUInt32LE(48) + head.readUInt32LE(52) * 4294967296;
      if (got !== 64 || head.readUInt32LE(0) !== 0x47584449) return false;
      return lock === fs.lstatSync(path.join(state, 'lock')).ino;
    }
    const stat = fs.lstatSync(state);
    const after = stat.birthtimeMs - Date.parse(install.created_at);
    return stat.birthtimeMs !== stat.ctimeMs && after >= -20 && after <= 2000;
  } catch {
    return false;
  }
}

/** `.git` is a directory; or a file, in submodules and linked worktrees (the latter share the main one's). */
function gitDirs(dotGit) {
  try {
    const stat = fs.statSync(dotGit, QUIET);
    if (stat === undefined) return null;
    if (stat.isDirectory()) {
      const dir = fs.realpathSync(dotGit);
      return isGitDir(dir) ? { own: dir, common: dir } : null;
    }
    const named = /^gitdir: (.*)/.exec(fs.readFileSync(dotGit, 'utf8'));
    if (named === null) return null;
    const own = fs.realpathSync(path.resolve(path.dirname(dotGit), named[1]));
    if (!isGitDir(own)) return null;
    const common = path.join(own, 'commondir');
    if (!fs.existsSync(common)) return { own, common: own };
    return { own, common: fs.realpathSync(path.resolve(own, fs.readFileSync(common, 'utf8').trim())) };
  } catch {
    return null;
  }
}

function isGitDir(dir) {
  return isPresent(path.join(dir, 'HEAD')) || isPresent(path.join(dir, 'guard'));
}

/** Unsure counts as present. */
function isPresent(file) {
  try {
    return fs.lstatSync(file, QUIET) !== undefined;
  } catch (error) {
    return error.code !== 'ENOENT' && error.code !== 'ENOTDIR';
  }
}

/** A file of that name marks nothing. */
function isMarker(dir) {
  try {
    const stat = fs.lstatSync(dir, QUIET);
    return stat !== undefined && (stat.isDirectory() || stat.isSymbolicLink());
  } catch {
    return isPresent(dir);
  }
}

/** Where everybody may make directories (/tmp), another user's says nothing about what is below. */
function isStray(one) {
  if (!one.present || one.anchor !== one.root || uid === null) return false;
  try {
    return fs.lstatSync(one.state).uid !== uid && (fs.lstatSync(one.root).mode & 514) === 514;
  } catch {
    return false;
  }
}

/** A `.guard` that came with the repository: as if it were not there, unless this user set it up. */
function isCommitted(one, gits) {
  if (!one.present || one.anchor !== one.root || readMark(one.anchor) !== null) return false;
  return gits.some((git) => {
    const prefix = git.root + path.sep;
    return one.state.startsWith(prefix) && isTracked(git.index, one.state.slice(prefix.length));
  });
}

/** From git's index, without a git process: gitformat-index(5), versions 2 to 4, SHA-1 and SHA-256. */
function isTracked(file, name) {
  try {
    const index = fs.readFileSync(file);
    return [62, 74].some((fixed) =>
      namesIn(index, fixed).some((one) => one === name || one.startsWith(name + '/')),
    );
  } catch {
    return false;
  }
}

function namesIn(index, fixed) {
  const found = [];
  const version = index.readUInt32BE(4);
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0 && at + fixed < index.length; left--) {
    const start = at;
    at += fixed + ((index.readUInt16BE(at + fixed - 2) & 0x4000) !== 0 ? 2 : 0);
    let kept = '';
    if (version === 4) {
      let strip = index[at] & 127;
      while ((index[at++] & 128) !== 0) strip = ((strip + 1) << 7) | (index[at] & 127);
      const before = found.length === 0 ? '' : found[found.length - 1];
      kept = before.slice(0, before.length - strip);
    }
    const end = index.indexOf(0, at);
    if (end === -1) break;
    found.push(kept + index.toString('latin1', at, end));
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
  }
  return found;
}

/** Marks are in the place without XDG_STATE_HOME, too (src/repo/known/mark.ts). */
function knownDirs() {
  const plain = path.join(userStateDir(true), 'known');
  if (process.env.XDG_STATE_HOME === undefined) return [plain];
  return [plain, path.join(userStateDir(false), 'known')];
}

/** Where this user's own files are. A place that a repository could fill is none (src/repo/user-dirs.ts). */
function userStateDir(isDefault) {
  const given = isDefault ? null : own('XDG_STATE_HOME');
  if (given !== null) return path.join(given, 'guard');
  const base = own('HOME') || accountHome();
  if (process.platform === 'darwin') return path.join(base, 'Library', 'Application Support', 'guard');
  if (process.platform === 'win32') {
    return path.join(process.env.LOCALAPPDATA || path.join(base, 'AppData', 'Local'), 'guard');
  }
  return path.join(base, '.local', 'state', 'guard');
}

function own(name) {
  const value = process.env[name];
  return value !== undefined && path.isAbsolute(value) && !isBorrowed(path.resolve(value)) ? value : null;
}

function isBorrowed(value) {
  const session = real(path.resolve(process.env.CLAUDE_PROJECT_DIR || '/'));
  for (const start of new Set([value, real(value)])) {
    for (let dir = start; path.dirname(dir) !== dir; dir = path.dirname(dir)) {
      const isRepository =
        dir === session || dir === '/proc' || ['.git', '.guard'].some((name) => isLaid(dir, name));
      if (isRepository) return !(real(accountHome()) + '/').startsWith(real(dir) + '/');
    }
  }
  return false;
}

function accountHome() {
  try {
    return require('os').userInfo().homedir;
  } catch {
    return '/';
  }
}

/** Where everybody may make directories (/tmp), another user's says nothing about what is below. */
function isLaid(dir, name) {
  try {
    const stat = fs.lstatSync(path.join(dir, name), QUIET);
    return stat !== undefined && (stat.uid === uid || (fs.lstatSync(dir).mode & 514) !== 514);
  } catch {
    return false;
  }
}

/** Of a path that need not exist: the real path of what does, and the rest. */
function real(file) {
  try {
    return fs.realpathSync.native(file);
  } catch {
    const above = path.dirname(file);
    return above === file ? file : path.join(real(above), path.basename(file));
  }
}

/** `guard off` of a person, while the state directory is gone or not believed. */
function pausedUntil(place) {
  try {
    return first(markNames(place.anchor), (name) => pauseIn(name + '.off.json'));
  } catch {
    return null;
  }
}

function pauseIn(file) {
  if (uid !== null && fs.lstatSync(file).uid !== uid) return null;
  const off = json(file);
  const runs = off !== null && off.since_wall_ms <= Date.now() && Date.now() < off.until_wall_ms;
  return runs && off.until_wall_ms - off.since_wall_ms <= DAY_MS ? off.until_wall_ms : null;
}

/** `fault`: null where guard was never set up. */
function answerWithout(fault) {
  const event = readEvent();
  const call = event === null ? null : callIn(event);
  const until = fault === null || !fault.place ? null : pausedUntil(fault.place);
  const denies = fault === null ? isRequired() : until === null;
  const cause = fault === null ? toInstall() : fault.cause + ' A person must run: ' + fault.step + '.';
  if (event === null) {
    process.stderr.write('guard: the event cannot be read. ' + cause + '\n');
    // Not a decision: the entry for write tools makes a denial of it, every other event continues.
    process.exitCode = denies ? 1 : 0;
  } else if (call !== null && isWrite(call)) {
    if (denies) deny(call, fault === null ? notHere() : fault);
    else if (fault === null) say({ systemMessage: cause + ' This write is not guarded.' });
  } else if (nameOf(event) === 'SessionStart') {
    const then =
      until !== null
        ? ' guard is switched off until ' + new Date(until).toISOString() + '.'
        : denies
          ? ' Until then writes are denied.'
          : ' Until then nothing is guarded.';
    sayAtStart('guard: ' + cause + then, fault !== null || denies);
  }
}

/** The tool that an event asks for, in the terms of each client that runs these entries (src/claude/hosts/translate.ts). */
function callIn(event) {
  const name = nameOf(event);
  if (name === 'PreToolUse' || name === 'BeforeTool') {
    return { tool: event.tool_name || event.toolName, input: event.tool_input || event.toolInput || {} };
  }
  if (name !== undefined) return null;
  if (event.toolArgs !== undefined && event.toolResult === undefined && event.error === undefined) {
    return { tool: event.toolName, input: event.toolArgs || {} };
  }
  if (event.input && event.output && event.output.args) {
    return { tool: event.input.tool, input: event.output.args };
  }
  return null;
}

function nameOf(event) {
  return event.hook_event_name || event.hookEventName;
}

/** To the person; to the agent too where its writes are denied. */
function sayAtStart(text, toAgent) {
  const added = { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } };
  say(Object.assign({ systemMessage: text }, toAgent ? added : {}));
}

/** The form that blocks, with its reason, on every host that runs these entries. */
function deny(call, fault) {
  const input = call.input;
  const step = 'A person must run: ' + fault.step;
  const reason = JSON.stringify({
    error_type: 'GUARD_ERROR',
    message: 'guard cannot check this write, so it is denied: ' + fault.cause,
    details: {
      path: input.file_path || input.notebook_path || input.filePath || input.path || null,
      code: fault.code,
      cause: fault.cause,
      next: ['Ask the user to run in a terminal: ' + fault.step],
    },
    recovery_hint: step + '. Reading and the shell still work.',
  });
  process.exitCode = 2;
  const flat = { permissionDecision: 'deny', permissionDecisionReason: reason };
  const own = Object.assign({ hookEventName: 'PreToolUse' }, flat);
  // Beside other fields Copilot CLI reads none of the flat ones (docs/hosts.md); the other clients read standard error.
  say(
    process.env.COPILOT_CLI && process.argv[2] !== '--host'
      ? flat
      : Object.assign({ decision: 'block', reason }, flat, { hookSpecificOutput: own }),
  );
  // Qwen Code takes JSON there for an answer, and one without a decision for consent.
  fs.writeSync(2, (process.argv[2] === '--host' ? 'guard: ' : '') + reason + '\n');
}

function say(output) {
  fs.writeSync(1, JSON.stringify(output) + '\n');
}

function notHere() {
  return {
    code: 'GUARD_ERR_NOT_INITIALISED',
    cause: 'guard is not set up on this machine, and this repository requires it.',
    step: 'cd ' + word(project) + ' && guard init',
  };
}

function toInstall() {
  if (isPlugin && !hasProgram(home)) {
    return 'The guard plugin is not built. Run: npm ci --prefix "' + home + '".';
  }
  return (
    'This repository uses guard, which is not set up on this machine. Install guard, then run in ' +
    project +
    ': guard init.'
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

/** Of MCP tools a known writer counts where it names a file, any other where the configuration calls it one. */
function isWrite(call) {
  const tool = call.tool;
  // A call of nobody knows what may be a write.
  if (typeof tool !== 'string' || tool === '') return true;
  if (WRITE_TOOLS.includes(tool) || ELSEWHERE.test(tool)) return true;
  if (MCP_WRITER.test(tool) && Object.keys(call.input).some((name) => /path|file|source|dest/i.test(name))) {
    return true;
  }
  const file = path.join(project, 'guard.config.json');
  const config = json(file);
  // It may name any of them a writer.
  if (config === null && fs.existsSync(file)) return tool.startsWith('mcp__');
  const writers =
    config !== null && config.mcp && Array.isArray(config.mcp.writers) ? config.mcp.writers : [];
  return writers.some((writer) => {
    const name = writer === null ? undefined : writer.tool;
    if (typeof name !== 'string') return false;
    return name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : tool === name;
  });
}

function readEvent() {
  try {
    const event = JSON.parse(fs.readFileSync(0, 'utf8'));
    // Only Copilot's own hook files and opencode send events without a name.
    const isEvent = event !== null && (nameOf(event) || event.sessionId || event.agent_id || event.input);
    return isEvent ? event : null;
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

/** Null for whatever is not a readable JSON object in a regular file. */
function json(file) {
  try {
    if (!fs.statSync(file).isFile()) return null;
    const value = JSON.parse(fs.readFileSync(file, 'utf8'));
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** For a shell. */
function word(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replace(/'/g, "'\\''") + "'";
}

/** Blocks. */
function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
