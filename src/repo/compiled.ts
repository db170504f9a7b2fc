/**
 * Runs a bundle, and the chunks it loads, from V8's compiled form if there is one. Compiling takes a quarter of a cold
 * hook's time (docs/decisions/002). The first run of a file saves its compiled form next to it, and later runs start
 * from that. V8 rejects a form made by another version or with other flags, and the build id in the file name ties it
 * to its source. If nothing can be written, everything works as without it.
 */
import fs from 'node:fs';
import vm from 'node:vm';

/** Replaced by the build with an id derived from the content of all files. */
declare const BUILD_ID: string;

interface Loaded {
  readonly exports: object;
  readonly script: vm.Script;
  readonly compiled: string;
  /** There was no compiled form, or V8 rejected it. */
  readonly isNew: boolean;
}

/** The files that a process runs, by name. */
export type Program = Map<string, Loaded>;

/** Runs what most uses of a file need, because its first use may need little of it. */
interface Warming {
  readonly warm?: () => void;
}

type Wrapped = (module: object, require: unknown, file: string) => void;

/** @param use gives the file a separate compiled form, for uses that have little in common */
export function load(file: string, program: Program, use = ''): object {
  const known = program.get(file);
  if (known !== undefined) return known.exports;
  const name = `${file}${use}.${BUILD_ID}-${process.version}-${process.arch}.compiled`;
  // Every function here is compiled in every cold process, so there are few.
  let compiled: Buffer | undefined;
  try {
    compiled = fs.readFileSync(name);
  } catch {
    // The first run since the build, or a directory that this user cannot read.
  }
  // The build has already wrapped the source in a function; wrapping it here would copy every source.
  // The build refuses anything but ASCII, which this reads in a sixth of the time.
  const script = new vm.Script(fs.readFileSync(file, 'latin1'), {
    filename: file,
    ...(compiled && { cachedData: compiled }),
  });
  const isNew = compiled === undefined || script.cachedDataRejected === true;
  const module = { exports: {} };
  const dir = file.slice(0, file.lastIndexOf('/'));
  const requireHere = (path: string): unknown =>
    path.endsWith('.cjs') && path.startsWith('./')
      ? load(`${dir}/${path.slice(2)}`, program)
      : // eslint-disable-next-line @typescript-eslint/no-require-imports -- built-ins, from a CommonJS file
        require(path);
  (script.runInThisContext() as Wrapped)(module, requireHere, file);
  program.set(file, { exports: module.exports, script, compiled: name, isNew });
  return module.exports;
}

/** Saves the missing compiled forms of the files that `isWanted` accepts. */
export function keepCompiled(program: Program, isWanted: (file: string) => boolean): void {
  // Files loaded while warming are also new, and come later in the map.
  for (const { exports, isNew } of program.values()) if (isNew) (exports as Warming).warm?.();
  for (const [file, { script, compiled, isNew }] of program)
    if (isNew && isWanted(file)) keep(compiled, script);
}

/**
 * Renamed into place, so that a process that starts now finds a complete file or none. `wx` keeps a process with the
 * same pid in another container from writing to the same file: V8 checks a compiled form's length, not its content.
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
