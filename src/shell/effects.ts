/**
 * What a command line would do to files, as far as it can be read without running it. Data only: who may do it is not
 * asked here. Reading never fails: what cannot be read is in `unresolved`.
 */

export interface Effects {
  readonly targets: readonly EffectTarget[];
  readonly scopes: readonly EffectScope[];
  /** Git itself says what they touch (src/git). */
  readonly git: readonly GitCall[];
  readonly unresolved: readonly Unresolved[];
}

export interface EffectTarget {
  /** Absolute, without `.` and `..`; links are not followed. */
  readonly path: string;
  readonly act: FileAct;
  /** Which command does it: `sed`, `>`, `python`. */
  readonly by: string;
  /** Its part of the line, for people. */
  readonly source: string;
  /** `scanned`: a literal in code that may not run. */
  readonly found: 'named' | 'expanded' | 'scanned';
  /** A directory with all that is in it. */
  readonly is_tree?: true;
}

/**
 * `edit`: the new content depends on the old one. `create`: only what is not there. `move`: it goes away under this name.
 * `attributes`: mode, owner, times; the content stays.
 */
export type FileAct = 'write' | 'append' | 'edit' | 'create' | 'remove' | 'move' | 'attributes';

/** Some files of these, nobody knows which: what a formatter, a generator, a build, a package manager writes. */
export interface EffectScope {
  readonly kind: 'formatter' | 'generator' | 'packages' | 'build' | 'archive';
  readonly by: string;
  readonly source: string;
  /** Absolute files and directories (with all that is in them), or globs where `is_glob`. */
  readonly paths: readonly string[];
  readonly is_glob?: true;
}

export interface GitCall {
  /** Everything behind `git`; null: a word that is known only when it runs. */
  readonly args: readonly (string | null)[];
  /** Null: nobody can tell. */
  readonly cwd: string | null;
  /** `GIT_*` variables that the line sets for it. */
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from, where the line says so: `--pathspec-from-file=-`, `apply`. */
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
