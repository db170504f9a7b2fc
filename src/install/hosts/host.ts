/** What `guard init --host` writes for one client: a row of the table in index.ts. */
import type { Environment } from '../../repo/user-dirs.ts';
import type { HookTable } from '../entries.ts';

/** project: committed, for the team; user: for all repositories of one user. */
export type HostScope = 'project' | 'user';

/** `closed`: if the hook does not start, the call is refused. */
export type HostLine = (closed?: 'closed') => string;

export interface HostRow {
  /** The name that people use. */
  readonly label: string;
  /** Relative to the root of a checkout. */
  readonly file: string;
  /** `undefined` if it has none. */
  readonly userFile?: (env: Environment) => string;
  /** The path to the root of the checkout from where the client starts the hook, for a shell. */
  readonly root: string;
  /** Hooks among others in the file, or the file's whole content. */
  readonly content: (line: HostLine) => { readonly hooks: HookTable } | { readonly whole: string };
  /** What a person has to know or do afterwards. */
  readonly notes: (scope: HostScope) => readonly string[];
}

/** In seconds: far above guard's own deadline, because at the client's deadline the write proceeds. */
export const TIMEOUT_S = 60;
