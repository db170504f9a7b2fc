/**
 * The program in a standalone binary (scripts/binary.mjs). Given a file of a guard's program, the binary runs it, as Node
 * would: hooks, servers and supervisors are started by `process.execPath` and a file. Anything else is a command line of
 * guard, which runs from files that the first call unpacks into the program home.
 */
import { createRequire } from 'node:module';
import { constants, Script } from 'node:vm';
import { ownProgramHome } from '../install/program/home.ts';
import { isProgramFile, refuseOtherFile } from './program-file.ts';

/** Replaced by the build: the program's directory in the home, which names its version and content. */
declare const PROGRAM: string;

const words = process.argv.slice(2);
// What starts the server of warm hooks gives it flags of V8, which only save memory. V8 runs already, so they are left out.
const [first = '', ...rest] = words.slice(words.findIndex((word) => !word.startsWith('--')));

if (first === '-e') runCode(rest[0] ?? '');
else if (isProgramFile(first)) start(first, rest);
else void runCommand();

/** The only code that guard itself gives to a Node: for an empty process (doctor), and for one that waits (replay). */
function runCode(code: string): void {
  if (code === 'process.stdin.resume()') process.stdin.resume();
  else if (code !== '') {
    process.stderr.write('guard: a standalone binary runs no code that it is given.\n');
    process.exitCode = 64;
  }
}

async function runCommand(): Promise<void> {
  // Loaded here: hooks are files, and unpack nothing.
  const { unpacked } = await import('./unpacked.ts');
  try {
    refuseOtherFile(first);
    start(`${unpacked(ownProgramHome(process.env), PROGRAM)}/bin/guard.cjs`, words);
  } catch (error) {
    const [{ reportFailure }, { processShell }, { wantsJson }] = await Promise.all([
      import('../cli/failure.ts'),
      import('../cli/shell.ts'),
      import('../cli/wants-json.ts'),
    ]);
    process.exitCode = reportFailure(error, processShell(words), wantsJson(words));
  }
}

function start(file: string, args: readonly string[]): void {
  process.argv = [process.execPath, file, ...args];
  if (!file.endsWith('.mjs')) createRequire(file)(file);
  else importFile(file);
}

/** The main script of a binary cannot import; code that V8 loads for it can. */
function importFile(file: string): void {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  const load = new Script('(file) => import(file)', { importModuleDynamically });
  (load.runInThisContext() as (file: string) => Promise<unknown>)(file).catch((error: unknown) => {
    // As Node ends for a module that cannot be loaded.
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
