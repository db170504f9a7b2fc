/** One simple command as it would be run, and what a table of writers knows about it. */
import type { Effects, Unresolved } from './effects.ts';

/** The disk, as facts: tests pass a table. Paths are absolute; no method throws. */
export interface Look {
  kind(path: string): 'file' | 'directory' | 'other' | null;
  /** Names in a directory, sorted; empty if there is no such directory. */
  list(dir: string): readonly string[];
  /** Null if it is not a file, not text, or longer than the limit. */
  text(file: string, max_bytes: number): string | null;
}

/** The conditions under which a line runs. */
export interface LineStart {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly look: Look;
}

/** One word after the command's name, expanded. */
export interface Argument {
  /** Null if it is known only at run time. */
  readonly text: string | null;
  readonly source: string;
  /** Whether it results from a glob, a brace or a loop. */
  readonly is_expanded: boolean;
  /** Why there is no text. */
  readonly reason?: Unresolved['reason'];
  /** The absolute glob that matches the files, if there are more than can be listed. */
  readonly glob?: string;
}

export interface Call {
  /** Without its directory. */
  readonly name: string;
  readonly args: readonly Argument[];
  /** Null if it is unknown. */
  readonly cwd: string | null;
  readonly variables: ReadonlyMap<string, string | null>;
  /** A here-document, a here-string, or the literal output of `echo`, `printf`, `cat <<` before the pipe. Null: unknown or none. */
  readonly stdin: string | null;
  /** Its input consists of names of files, some of those that match these absolute globs. */
  readonly globs?: readonly string[] | undefined;
  /** Whether it reads another command's output. */
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
      /** `$0`; if absent, the name of the file. */
      readonly zero?: Argument;
      readonly cwd?: string | null;
      /** The script file that contains the text. Scripts that it starts in turn are not followed. */
      readonly file?: string;
    }
  /** Another simple command: after `sudo`, `xargs`, `find -exec`. `stdin`: if it differs from that of the call itself. */
  | {
      readonly kind: 'call';
      readonly words: readonly Argument[];
      readonly cwd?: string | null;
      readonly stdin?: string | null;
      /** Variables set only for this command. */
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
