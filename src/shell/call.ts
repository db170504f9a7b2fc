/** One simple command as it would be run, and what a table of writers says of it. */
import type { Effects, Unresolved } from './effects.ts';

/** The disk, as facts: tests give a table. Paths are absolute; nothing throws. */
export interface Look {
  kind(path: string): 'file' | 'directory' | 'other' | null;
  /** Names in a directory, sorted; empty where there is none. */
  list(dir: string): readonly string[];
  /** Null: no file, not text, or longer. */
  text(file: string, max_bytes: number): string | null;
}

/** Where a line runs. */
export interface LineStart {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly look: Look;
}

/** One word behind the command's name, expanded. */
export interface Argument {
  /** Null: known only when it runs. */
  readonly text: string | null;
  readonly source: string;
  /** It came out of a glob, a brace, a loop. */
  readonly is_expanded: boolean;
  /** Why there is no text. */
  readonly reason?: Unresolved['reason'];
  /** Absolute; of more files than are listed the glob that they match. */
  readonly glob?: string;
}

export interface Call {
  /** Without its directory. */
  readonly name: string;
  readonly args: readonly Argument[];
  /** Null: nobody can tell. */
  readonly cwd: string | null;
  readonly variables: ReadonlyMap<string, string | null>;
  /** A here-document, a here-string, or the literal output of `echo`, `printf`, `cat <<` before the pipe. Null: not known, or none. */
  readonly stdin: string | null;
  /** It reads what another command prints. */
  /** What it reads are names of files, some of those that match these absolute globs. */
  readonly globs?: readonly string[] | undefined;
  readonly is_piped: boolean;
  readonly source: string;
  readonly start: LineStart;
}

/** What a call does, and what it runs in turn. */
export interface Reading extends Partial<Effects> {
  readonly runs?: readonly Run[];
}

export type Run =
  /** Shell text: `bash -c`, `eval`, a script file, a recipe. `args`: `$1` and so on. */
  | {
      readonly kind: 'line';
      readonly text: string;
      readonly args?: readonly Argument[];
      /** `$0`; without it, that of the file. */
      readonly zero?: Argument;
      readonly cwd?: string | null;
      /** The text is that of this file: a script. Those that it starts in turn are not followed. */
      readonly file?: string;
    }
  /** Another simple command: behind `sudo`, `xargs`, `find -exec`. `stdin`: where it is not that of the call itself. */
  | {
      readonly kind: 'call';
      readonly words: readonly Argument[];
      readonly cwd?: string | null;
      readonly stdin?: string | null;
      /** Set for it alone. */
      readonly env?: Readonly<Record<string, string>>;
    }
  /** Text in a programming language, scanned for literal writes. */
  | {
      readonly kind: 'code';
      readonly language: 'python' | 'node' | 'ruby' | 'perl';
      readonly text: string;
      readonly args: readonly Argument[];
    };

export type Writer = (call: Call) => Reading;
