/** Task runners, one level deep: the literal text of the task is the line that runs. */
import { asObject, type JsonObject, parsedObject } from '../../core/json-object.ts';
import { shellWord } from '../../core/shell-word.ts';
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { options } from './options.ts';
import { runFile } from './interpreters.ts';
import { makeLines } from './makefile.ts';
import { justLines, miseLines, taskfileLines } from './task-files.ts';
import { nodePackages, rootOf } from './packages.ts';
import { absolute, joined } from '../path.ts';
import { NOTHING, kindOf, pathOf, runs, runsLines, together, unresolved, within, word } from './reading.ts';
import { readScript } from './script.ts';

const MOST_BYTES = 262_144;

/** Verbs that run the script of that name in package.json. */
const SCRIPT_VERBS = /^(?:test|t|tst|start|stop|restart)$/;
const RUN = /^(?:run|run-script|rum|urn)$/;
const EXEC = /^(?:exec|x|dlx)$/;
/** Verbs that write nothing here. */
const HARMLESS =
  /^(?:view|info|show|ls|list|ll|la|outdated|why|explain|doctor|ping|whoami|search|help|root|prefix|bin|config|cache|pack|publish|login|logout|token|owner|access|audit|fund|repo|docs|bugs|home|store|env|licenses|query|sbom|completion|--version)$/;

const GRAMMAR =
  'prefix,C,dir,cwd: w,workspace: F,filter: registry: loglevel: userconfig: s r,recursive,workspaces,ws';

/** npm, pnpm, yarn, bun. */
const nodeRunner: Writer = (outer) => {
  const given = options(outer.args, GRAMMAR, 'first');
  const call = within(outer, given.value('prefix'));
  const [first, ...rest] = given.operands;
  if (first === undefined)
    return call.name === 'yarn' ? (nodePackages(call, 'yarn', 'install', []) ?? NOTHING) : NOTHING;
  const verb = first.text;
  if (verb === null) return unresolved(call, 'script', first.source);
  if (given.has('r', 'F')) return everywhere(call, verb, rest);
  const at = given.value('w') ?? options(rest, GRAMMAR).value('w');
  if (at !== undefined)
    return inWorkspace(call, at, [
      first,
      ...rest.filter((it) => it !== at && !/^(?:-w|--workspace)/.test(it.text ?? '')),
    ]);
  return ofVerb(call, verb, rest);
};

function ofVerb(call: Call, verb: string, args: readonly Argument[]): Reading {
  if (call.name === 'yarn' && verb === 'workspace')
    return inWorkspace(call, args[0] ?? word(''), args.slice(1));
  if (RUN.test(verb)) {
    const [name, ...more] = behindOptions(args);
    return name === undefined ? NOTHING : (script(call, name, more) ?? ofFile(call, name, more));
  }
  if (SCRIPT_VERBS.test(verb)) {
    if (call.name === 'bun' && verb === 'test') return NOTHING;
    return script(call, word(verb.startsWith('t') ? 'test' : verb), args) ?? NOTHING;
  }
  if (EXEC.test(verb))
    return runs({ kind: 'call', words: behindOptions(args).filter(({ text }) => text !== '--') });
  const built_in = nodePackages(call, call.name, verb, args);
  if (built_in !== null) return built_in;
  if (call.name === 'npm' || HARMLESS.test(verb)) return NOTHING;
  if (call.name === 'bun' && /\.[cm]?[jt]sx?$/.test(verb))
    return runFile({ ...call, args: [word(verb), ...args] });
  if (call.name === 'bun' && verb.startsWith('-')) return NOTHING;
  // yarn, pnpm and bun treat any other word as a script, or else as an installed command.
  return script(call, word(verb), args) ?? runs({ kind: 'call', words: [word(verb), ...args] });
}

const everywhere = (call: Call, verb: string, args: readonly Argument[]): Reading =>
  HARMLESS.test(verb) ? NOTHING : (nodePackages(call, call.name, verb, args) ?? unresolved(call, 'script'));

function behindOptions(args: readonly Argument[]): readonly Argument[] {
  const at = args.findIndex(({ text }) => text?.startsWith('-') !== true || text === '--');
  return at < 0 ? [] : args.slice(at);
}

function ofFile(call: Call, name: Argument, args: readonly Argument[]): Reading {
  const is_file = call.name === 'bun' && kindOf(call, name) === 'file';
  return is_file ? readScript(call, name, args, 'node') : NOTHING;
}

/** A workspace is named by its path, or by the name in its own package.json. */
function inWorkspace(call: Call, at: Argument, words: readonly Argument[]): Reading {
  const place = kindOf(call, at) === 'directory' ? pathOf(call, at) : workspaceNamed(call, at.text);
  const [verb, ...rest] = words;
  if (place === null || verb?.text == null) return unresolved(call, 'script');
  return ofVerb({ ...call, cwd: place }, verb.text, rest);
}

function workspaceNamed(call: Call, name: string | null): string | null {
  const root = rootOf(call, 'package.json');
  if (root === null || name === null) return null;
  const { look } = call.start;
  const list = packageAt(call, root)['workspaces'];
  const patterns = Array.isArray(list) ? list.filter((it) => typeof it === 'string') : ['packages/*'];
  const dirs = patterns.flatMap((pattern) => {
    const dir = absolute(pattern.replace(/\/\*$/, ''), root) ?? root;
    return pattern.endsWith('/*') ? look.list(dir).map((it) => joined(dir, it)) : [dir];
  });
  return dirs.find((dir) => packageAt(call, dir)['name'] === name) ?? null;
}

const packageAt = ({ start }: Call, dir: string): JsonObject =>
  parsedObject(start.look.text(joined(dir, 'package.json'), MOST_BYTES));

/** Includes the scripts that run before and after it; null if package.json has no such script. */
function script(call: Call, name: Argument, args: readonly Argument[]): Reading | null {
  const root = rootOf(call, 'package.json');
  if (root === null) return unresolved(call, 'directory');
  if (name.text === null) return unresolved(call, 'script', name.source);
  const scripts = asObject(packageAt(call, root)['scripts']);
  const textOf = (key: string): string | undefined => {
    const value = scripts[key];
    return typeof value === 'string' ? value : undefined;
  };
  const main = Object.hasOwn(scripts, name.text) ? textOf(name.text) : undefined;
  if (main === undefined) return null;
  const own = [main, ...args.filter(({ text }, nth) => !(text === '--' && nth === 0)).map(quoted)].join(' ');
  const hooks = call.name === 'pnpm' ? [] : [`pre${name.text}`, `post${name.text}`];
  const [before, after] = hooks.map(textOf);
  const lines = [before, own, after].flatMap((it) => (it === undefined ? [] : [it]));
  return runsLines(lines, { cwd: root });
}

const quoted = ({ text, source }: Argument): string => (text === null ? source : shellWord(text));

/** npm-run-all, run-s, run-p: each word is a script; concurrently: each is a line. */
const several: Writer = (call) => {
  const given = options(call.args, 'n,names: c,prefix-colors: max-parallel: p s');
  const npm = { ...call, name: 'npm' };
  return together(
    given.operands.map((it) => {
      const named = /^(?:npm|pnpm|yarn|bun):(.+)$/.exec(it.text ?? '')?.[1];
      if (it.text === null || it.text.includes('*')) return unresolved(call, 'script', it.source);
      if (named !== undefined) return script(npm, word(named), []) ?? NOTHING;
      if (call.name === 'concurrently') return runs({ kind: 'line', text: it.text });
      return script(npm, word(it.text.replace(/ .*$/s, '')), []) ?? NOTHING;
    }),
  );
};

interface TaskFile {
  /** Tried in this order. */
  readonly names: readonly string[];
  readonly read: (text: string, task: string | null, args: readonly string[]) => readonly string[] | null;
}

/** Runs the lines of each task; one that the file does not have, or has in an unsupported form, is unresolved. */
function taskLines(
  call: Call,
  { names, read }: TaskFile,
  tasks: readonly Argument[],
  named?: Argument,
): Reading {
  const found = named === undefined ? taskFileAbove(call, names) : pathOf(call, named);
  if (found === null) return call.cwd === null ? unresolved(call, 'directory') : NOTHING;
  const text = call.start.look.text(found, MOST_BYTES);
  if (text === null) return unresolved(call, 'script');
  const dir = named === undefined ? found.slice(0, found.lastIndexOf('/')) || '/' : call.cwd;
  return together(
    (tasks.length > 0 ? tasks : [null]).map((task) => {
      const lines = task?.text === null ? null : read(text, task?.text ?? null, []);
      if (lines === null) return unresolved(call, 'script', task?.source);
      return runsLines(lines, { cwd: dir });
    }),
  );
}

function taskFileAbove(call: Call, names: readonly string[]): string | null {
  const fitting = names.map((name) => {
    const root = rootOf(call, name);
    return root === null ? null : joined(root, name);
  });
  return fitting.find((path) => path !== null && call.start.look.kind(path) === 'file') ?? null;
}

const make: Writer = (outer) => {
  const given = options(
    outer.args,
    'C,directory: f,file,makefile: j,jobs? I: o: W: l? n,dry-run,just-print,recon q,question t,touch p O?',
  );
  if (given.has('n', 'q')) return NOTHING;
  const call = within(outer, given.value('C'));
  if (call.cwd === null) return unresolved(outer, 'directory');
  const is_setting = ({ text }: Argument) => text !== null && /^\w+\s*[:+?]?=/.test(text);
  const settings = given.operands.filter(is_setting).map(({ text }) => text ?? '');
  const named = given.value('f');
  // Only here: make does not search parent directories.
  const usual = ['GNUmakefile', 'makefile', 'Makefile'].find((it) => kindOf(call, word(it)) === 'file');
  if (named === undefined && usual === undefined) return NOTHING;
  const read: TaskFile['read'] = (text, target) => makeLines(text, target, settings);
  const targets = given.operands.filter((it) => !is_setting(it) && !/^\d+$/.test(it.text ?? ''));
  return taskLines(call, { names: [], read }, targets, named ?? word(usual ?? ''));
};

const just: Writer = (call) => {
  const given = options(
    call.args,
    'f,justfile: d,working-directory: set: n,dry-run l,list s,show: summary dump evaluate',
    'first',
  );
  if (given.has('n', 'l', 's', 'summary', 'dump', 'evaluate', 'fmt')) return NOTHING;
  const [task, ...args] = given.operands;
  const texts = args.flatMap(({ text }) => text ?? []);
  const read: TaskFile['read'] = (text, name) => justLines(text, name, texts);
  return taskLines(
    call,
    { names: ['justfile', 'Justfile', '.justfile'], read },
    task === undefined ? [] : [task],
    given.value('f'),
  );
};

const MISE_FILES = ['mise.toml', '.mise.toml', 'mise/config.toml', '.config/mise.toml'];
const MISE_VERBS =
  /^(?:install|i|use|u|ls|list|exec|x|env|which|where|current|outdated|up|upgrade|prune|plugins|settings|doctor|trust|activate|reshim|version|tasks|cache|config|set|unset|watch|w|help|self-update|latest|ls-remote|alias|shell|direnv|generate|implode|link|registry|search|sync|tool|uninstall|bin-paths|backends|fmt|deactivate|completion|hook-env|edit|mcp|lock|prepare)$/;

const mise: Writer = (call) => {
  const given = options(call.args, 'C,cd: j,jobs: E,env:', 'first');
  const [verb, ...rest] = given.operands;
  const inner = within(call, given.value('C'));
  const runs_task = verb?.text === 'run' || verb?.text === 'r';
  if (verb?.text == null || (!runs_task && MISE_VERBS.test(verb.text))) {
    const split = rest.findIndex(({ text }) => text === '--');
    const is_exec = /^(?:exec|x)$/.test(verb?.text ?? '') && split >= 0;
    return is_exec ? runs({ kind: 'call', words: rest.slice(split + 1) }) : NOTHING;
  }
  const [task] = runs_task ? options(rest, 'C,cd: j,jobs: o,output:', 'first').operands : [verb];
  return task === undefined ? NOTHING : miseTask(inner, task);
};

/** In a separate file, or in the configuration. */
function miseTask(call: Call, task: Argument): Reading {
  for (const dir of ['mise-tasks', '.mise-tasks', '.mise/tasks', 'mise/tasks', '.config/mise/tasks']) {
    const name = { ...task, text: task.text === null ? null : `${dir}/${task.text.replaceAll(':', '/')}` };
    const root = rootOf(call, name.text ?? '');
    if (root !== null && kindOf({ ...call, cwd: root }, name) === 'file')
      return readScript({ ...call, cwd: root }, name, []);
  }
  return taskLines(call, { names: MISE_FILES, read: miseLines }, [task]);
}

const task: Writer = (call) => {
  const given = options(
    call.args,
    't,taskfile: d,dir: o,output: C,concurrency: n,dry l,list a,list-all summary status i,init g,global',
  );
  if (given.has('n', 'l', 'a', 'summary', 'status', 'g')) return NOTHING;
  const tasks = given.operands.filter(({ text }) => text === null || !text.includes('='));
  const names = ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml'];
  return taskLines(call, { names, read: taskfileLines }, tasks, given.value('t'));
};

/** The writers of task runners, by name. */
export const TASKS: Readonly<Record<string, Writer>> = {
  ...{ npm: nodeRunner, pnpm: nodeRunner, yarn: nodeRunner, bun: nodeRunner, yarnpkg: nodeRunner },
  ...{ 'npm-run-all': several, 'run-s': several, 'run-p': several, concurrently: several },
  ...{ make, gmake: make, just, mise, task, 'go-task': task },
};
