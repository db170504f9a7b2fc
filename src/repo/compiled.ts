/**
 * Runs a bundle, and what that loads on use, from V8's compiled form where that is at hand. Compiling is a quarter of what a cold
 * hook costs (docs/decisions/002): the first use of a file leaves its compiled form beside it, later ones start from it. V8
 * rejects a form that is not of its own version and flags; the build's name in the file name keeps it to its source. Without
 * a place to write, everything works as before.
 */
import fs from 'node:fs';
import vm from 'node:vm';
import { attempt } from '../core/attempt.ts';

/** Replaced by the build: names the content of all the files. */
declare const BUILD_ID: string;

interface Loaded {
  readonly exports: object;
  readonly script: vm.Script;
  readonly compiled: string;
  /** There was no compiled form, or V8 rejected it. */
  readonly isNew: boolean;
}

/** What one process runs, by file. */
export type Program = Map<string, Loaded>;

type Wrapped = (module: object, require: unknown, file: string) => void;

/** @param use names a form of its own, for a file whose uses have little in common */
export function load(file: string, program: Program, use = ''): object {
  const known = program.get(file);
  if (known !== undefined) return known.exports;
  const name = `${file}${use}.${BUILD_ID}-${process.version}-${process.arch}.compiled`;
  const compiled = attempt(() => fs.readFileSync(name), undefined);
  // The build has put the function around it: here it would be a copy of every source.
  const script = new vm.Script(fs.readFileSync(file, 'utf8'), {
    filename: file,
    ...(compiled && { cachedData: compiled }),
  });
  const isNew = compiled === undefined || script.cachedDataRejected === true;
  const module = { exports: {} };
  const dir = file.slice(0, file.lastIndexOf('/'));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- built-ins and the native lock, from a CommonJS file
  const native = (path: string): unknown => require(path);
  const requireHere = (path: string): unknown =>
    path.endsWith('.cjs') && path.startsWith('./') ? load(`${dir}/${path.slice(2)}`, program) : native(path);
  (script.runInThisContext() as Wrapped)(module, requireHere, file);
  program.set(file, { exports: module.exports, script, compiled: name, isNew });
  return module.exports;
}

/** Leaves the compiled forms that were missing, of the files that `isWanted`. */
export function keepCompiled(program: Program, isWanted: (file: string) => boolean): void {
  for (const [file, { script, compiled, isNew }] of program)
    if (isNew && isWanted(file)) keep(compiled, script);
}

/**
 * Renamed into place: another process that starts now finds a whole file or none. `wx`: one of the same id, in another
 * container, writes no part of it; V8 checks the length of what it is given and not the content.
 */
function keep(compiled: string, script: vm.Script): void {
  const temp = `${compiled}.${process.pid}`;
  try {
    fs.writeFileSync(temp, script.createCachedData(), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temp, compiled);
  } catch {
    fs.rmSync(temp, { force: true });
  }
}
