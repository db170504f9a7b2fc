/**
 * What a hook command starts: runs the hook's one bundled file, and what that loads on use, from V8's compiled form
 * where that is at hand. Compiling is a quarter of what a cold hook costs (docs/decisions/002): the first event that
 * uses a file leaves its compiled form beside it, later ones start from it. V8 rejects a form that is not of its own
 * version and flags; the build's name in the file name keeps it to its source. Without a place to write, everything
 * works as before.
 */
import fs from 'node:fs';
import vm from 'node:vm';
import { attempt } from '../core/attempt.ts';
import { readSome } from './chunk.ts';
import type { Kind } from './main.ts';

/** Replaced by the build: names the content of all the files. */
declare const BUILD_ID: string;

interface Main {
  run(first: Buffer, read: () => Buffer): Kind;
}

/** What most of a file's uses run, where its first use may be a small one. */
interface Warming {
  readonly warm?: () => void;
}

interface Loaded {
  readonly exports: object;
  readonly script: vm.Script;
  /** There was no compiled form, or V8 rejected it. */
  readonly isNew: boolean;
}

type Wrapped = (module: object, require: unknown, file: string) => void;

/** Of one line on standard error. */
const MAX_CHARS = 400;

/**
 * The hook, and the same with what surrounds a command in it, which else is five files that share much. Which of them runs
 * changes nothing but the time, so a look at how the event begins is enough.
 */
const MAIN = `${__dirname}/hook-main.cjs`;
const COMMAND_MAIN = `${__dirname}/hook-command.cjs`;
const IS_COMMAND = /"tool_name"\s*:\s*"(?:Bash|PowerShell)"/;
const LOOKED_AT_BYTES = 4_096;
/** A write about to happen, and let through: what people wait for most, and what uses most of the code. Of commands the event says it. */
const IS_WRITE = /"hook_event_name"\s*:\s*"PreToolUse"[^{]*"tool_name"\s*:\s*"(?:Edit|Write)"/;
const compiledName = (file: string): string =>
  `${file}.${BUILD_ID}-${process.version}-${process.arch}.compiled`;

function load(file: string, loaded: Map<string, Loaded>): object {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const compiled = readOrNone(compiledName(file));
  // The build has put the function around it: here it would be a copy of every source.
  const script = new vm.Script(fs.readFileSync(file, 'utf8'), {
    filename: file,
    ...(compiled && { cachedData: compiled }),
  });
  const isNew = compiled === undefined || script.cachedDataRejected === true;
  const module = { exports: {} };
  const dir = file.slice(0, file.lastIndexOf('/'));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- built-ins and the native lock, from a CommonJS file
  const native = (name: string): unknown => require(name);
  const requireHere = (name: string): unknown =>
    name.endsWith('.cjs') && name.startsWith('./') ? load(`${dir}/${name.slice(2)}`, loaded) : native(name);
  (script.runInThisContext() as Wrapped)(module, requireHere, file);
  loaded.set(file, { exports: module.exports, script, isNew });
  return module.exports;
}

const readOrNone = (file: string): Buffer | undefined => attempt(() => fs.readFileSync(file), undefined);

/** Renamed into place: another hook that starts now finds a whole file or none. */
function keep(file: string, script: vm.Script): void {
  const temp = `${compiledName(file)}.${process.pid}`;
  try {
    fs.writeFileSync(temp, script.createCachedData(), { mode: 0o600 });
    fs.renameSync(temp, compiledName(file));
  } catch {
    fs.rmSync(temp, { force: true });
  }
}

try {
  const loaded = new Map<string, Loaded>();
  const first = readSome();
  const begin = first.toString('latin1', 0, LOOKED_AT_BYTES);
  const main = IS_COMMAND.test(begin) ? COMMAND_MAIN : MAIN;
  const kind = (load(main, loaded) as Main).run(first, readSome);
  const isTypical = kind === 'typical' || (kind === 'silent' && IS_WRITE.test(begin));
  // What one loads while it is warmed is new too, and behind it in the map.
  for (const { exports, isNew } of loaded.values()) if (isNew) (exports as Warming).warm?.();
  for (const [file, { script, isNew }] of loaded)
    if (isNew && (isTypical || file !== main)) keep(file, script);
} catch (error) {
  // No decision: the entries for writes make a denial of it (install/command.ts), every other event goes on. Exit code 2
  // would send an agent that wants to stop back to work, again and again.
  process.exitCode = 1;
  const [cause = ''] = String(error).split('\n');
  fs.writeSync(2, `guard cannot start: ${cause.slice(0, MAX_CHARS)}. Run: guard doctor\n`);
}
// All is written and closed: what Node would tidy up now costs 2 to 3 ms (docs/decisions/002).
process.exit();
