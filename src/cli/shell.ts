/**
 * What a command may use of the process around it. Commands get it passed in and use nothing else of `process`, so that a
 * test can run one in its own process.
 */
import type { Environment } from '../repo/user-dirs.ts';
import { colored, type Colors } from './colors.ts';
import { EXIT, type ExitCode } from './exit.ts';
import { isTerminal } from './is-terminal.ts';
import { writeAll } from './write.ts';

const PLAIN: Colors = { bold: String, dim: String, green: String, red: String, yellow: String };

export interface Shell {
  readonly cwd: string;
  readonly env: Environment;
  /** A person can type here: standard input is a terminal. */
  readonly isInteractive: boolean;
  /** A person sees standard error: it is a terminal on which a line can be rewritten. */
  readonly isWatched: boolean;
  readonly color: Colors;
  /** Data, to standard output. */
  readonly out: (text: string) => void;
  /** Text, to standard error. */
  readonly err: (text: string) => void;
  /** One JSON document and a newline, to standard output. */
  readonly json: (value: unknown) => void;
  exitCode: ExitCode;
}

/** Colors only for people: a terminal, no NO_COLOR (no-color.org: any non-empty value), no `--no-color`. */
export function wantsColor(argv: readonly string[], env: Environment, isTerminal: boolean): boolean {
  return (
    isTerminal && !argv.includes('--no-color') && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  );
}

/** A directory that was removed has no name; commands then report that nothing there is guarded. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

export function processShell(argv: readonly string[]): Shell {
  const out = (text: string) => writeAll(1, text);
  return {
    cwd: workingDirectory(),
    env: process.env,
    get isInteractive() {
      return isTerminal(0);
    },
    get isWatched() {
      return isTerminal(2) && process.env['TERM'] !== 'dumb';
    },
    color: wantsColor(argv, process.env, isTerminal(1)) ? colored() : PLAIN,
    out,
    err: (text) => writeAll(2, text),
    json: (value) => out(`${JSON.stringify(value)}\n`),
    exitCode: EXIT.yes,
  };
}

/** One answer: JSON for programs, text for people. */
export function say(
  shell: Shell,
  { json }: { readonly json?: boolean },
  answer: unknown,
  words: () => string,
): ExitCode {
  if (json === true) shell.json(answer);
  else shell.out(words());
  return EXIT.yes;
}
