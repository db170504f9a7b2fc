/**
 * What a command line would do to files, as far as it can be read without running it. Data only: whether it is allowed
 * is decided elsewhere. Reading never fails: parts that cannot be read are in `unresolved`.
 */

export interface Effects {
  readonly targets: readonly EffectTarget[];
  readonly scopes: readonly EffectScope[];
  /** git itself is asked what they touch (src/git). */
  readonly git: readonly GitCall[];
  readonly unresolved: readonly Unresolved[];
}

export interface EffectTarget {
  /** Absolute, without `.` and `..`; links are not followed. */
  readonly path: string;
  readonly act: FileAct;
  /** The command that does it: `sed`, `>`, `python`. */
  readonly by: string;
  /** Its part of the line, for people. */
  readonly source: string;
  /** `scanned`: a literal in code that may not run. */
  readonly found: 'named' | 'expanded' | 'scanned';
  /** A directory with everything in it. */
  readonly is_tree?: true;
}

/**
 * `edit`: the new content depends on the old. `create`: only a file that does not exist. `move`: it disappears under this
 * name. `attributes`: mode, owner, times; the content stays.
 */
export type FileAct = 'write' | 'append' | 'edit' | 'create' | 'remove' | 'move' | 'attributes';

/** Some of these files, unknown which: those that a formatter, a generator, a build or a package manager writes. */
export interface EffectScope {
  readonly kind: 'formatter' | 'generator' | 'packages' | 'build' | 'archive';
  readonly by: string;
  readonly source: string;
  /** Absolute files and directories (with everything in them), or globs if `is_glob` is set. */
  readonly paths: readonly string[];
  readonly is_glob?: true;
}

export interface GitCall {
  /** Everything after `git`; null: a word that is known only at run time. */
  readonly args: readonly (string | null)[];
  /** Null if it is unknown. */
  readonly cwd: string | null;
  /** `GIT_*` variables that the line sets for it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input, if the line shows it: `--pathspec-from-file=-`, `apply`. */
  readonly stdin: string | null;
  readonly source: string;
}

export interface Unresolved {
  readonly source: string;
  readonly by: string;
  readonly reason:
    'variable' | 'substitution' | 'directory' | 'code' | 'script' | 'input' | 'syntax' | 'limit';
}

export const NO_EFFECTS: Effects = { targets: [], scopes: [], git: [], unresolved: [] };
