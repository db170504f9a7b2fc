/**
 * The calls that agents make all day, answered without commander. Each file in bundles/ becomes a dist/quick-*.cjs, which
 * entry.ts starts. Everything in a bundle besides the command slows each of its calls: 2.5 ms for all commands together.
 */
import { guardRoot } from '../../install/guard-root.ts';
import { advanceProgram } from '../../install/program/settle.ts';
import { readNow } from '../../repo/clock.ts';
import type { ExitCode } from '../exit.ts';
import { reportFailure } from '../failure.ts';
import { processShell, type Shell } from '../shell.ts';
import type { Declaring } from '../declaring.ts';
import { type QuickForm, QuickCommand } from './declared.ts';
import { wantsJson } from '../wants-json.ts';
import { readPlain } from './read-plain.ts';

/** A command's file, which may use only what `Declaring` has. */
interface QuickModule {
  define(command: Declaring, shell: Shell): void;
}

export type QuickModules = Readonly<Record<string, QuickModule>>;

/** Runs one command line to its end and returns its exit code; never throws. `null`: nothing was done, and commander has to. */
async function runQuick(
  modules: QuickModules,
  argv: readonly string[],
  shell: Shell,
): Promise<ExitCode | null> {
  const command = readQuick(modules, argv, shell);
  if (command?.body == null) return null;
  try {
    await command.body();
    return shell.exitCode;
  } catch (error) {
    return reportFailure(error, shell, wantsJson(argv));
  }
}

function readQuick(
  modules: QuickModules,
  [name = '', ...words]: readonly string[],
  shell: Shell,
): QuickForm | null {
  const module = modules[name];
  if (module === undefined) return null;
  const command = new QuickCommand();
  module.define(command, shell);
  try {
    return readPlain(command, words);
  } catch {
    // An invalid value: commander reaches the same result, and reports it.
    return null;
  }
}

/** For the process that runs one of these bundles. */
export const quickRun =
  (modules: QuickModules) =>
  (argv: readonly string[]): Promise<ExitCode | null> => {
    advanceProgram(guardRoot(), process.env, readNow().wall_ms);
    return runQuick(modules, argv, processShell(argv));
  };
