/** What `guard init --host` writes for one client: a row of the table in index.ts. */
import type { Environment } from '../../repo/user-dirs.ts';
import type { HookTable } from '../entries.ts';

/** project: committed, for the team; user: every repository of one user. */
export type HostScope = 'project' | 'user';

/** `closed`: where the hook does not start, the call is refused. */
export type HostLine = (closed?: 'closed') => string;

export interface HostRow {
  /** As people call it. */
  readonly label: string;
  /** Below the root of a checkout. */
  readonly file: string;
  /** Undefined: it has none. */
  readonly userFile?: (env: Environment) => string;
  /** To the root of the checkout, where the client starts the hook; for a shell. */
  readonly root: string;
  /** Hooks among others in the file, or all that the file holds. */
  readonly content: (line: HostLine) => { readonly hooks: HookTable } | { readonly whole: string };
  /** What a person has to know, or to do, after it. */
  readonly notes: (scope: HostScope) => readonly string[];
}

/** In seconds: far above guard's own deadline, because at the client's the write goes on. */
export const TIMEOUT_S = 60;
