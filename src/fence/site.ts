/**
 * Where a repository's fence is, and how it was set up. All of this is derived: without it commands run unfenced, and
 * the next session start rebuilds it.
 *
 *   <state>/fence/on       how the fence is built here; if it is missing, nothing is kept up to date
 *   <state>/fence/held     what is held, for the helper (fence/held.pl)
 *   <state>/fence/late     a commit is being added to `held`; left behind by a process that died doing so
 *   <state>/fence/run/     a file for each fence in use
 *   <state>/fence/for/     a file for each session: whether its commands are fenced
 */
import { existsSync, readFileSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { parsedObject } from '../core/json-object.ts';
import type { Policy } from '../core/types.ts';
import type { Repo } from '../repo/locate.ts';
import { replaceWhole } from '../repo/replace-whole.ts';

export type HelperKind = 'perl' | 'bwrap' | 'landlock' | 'sandbox';

/** The program that builds a fence, run as `program file run …`. Absolute paths. */
export interface Helper {
  readonly kind: HelperKind;
  readonly program: string;
  readonly file: string;
}

/**
 * The arguments of its program. PERL5OPT, PERL5LIB and PERL_UNICODE are for a project's own perl: `-t` ignores the
 * first two, `-C0` the third, and `-X` suppresses the warnings of `-t`. fence/pre.sh uses the same.
 */
export const argsFor = (file: string): readonly string[] => [
  ...(file.endsWith('.pl') ? ['-tXC0'] : []),
  file,
];

/** `closed`: a command for which no fence can be built does not run. */
export type FenceMode = 'open' | 'closed';

export interface FenceOn {
  readonly v: 1;
  readonly repo: Pick<Repo, 'root' | 'common_dir' | 'worktree' | 'state_dir' | 'joined' | 'clone'>;
  readonly policy: Policy;
  readonly helper: Helper;
  readonly mode: FenceMode;
}

export const fenceDir = (state_dir: string): string => `${state_dir}/fence`;
export const heldFile = (state_dir: string): string => `${fenceDir(state_dir)}/held`;
export const runDir = (state_dir: string): string => `${fenceDir(state_dir)}/run`;
const onFile = (state_dir: string): string => `${fenceDir(state_dir)}/on`;

/** The entire cost when no fence is on. */
export const isOn = (state_dir: string): boolean => existsSync(onFile(state_dir));

/** Null: there is no fence here, or it belongs to another version of guard. */
export function readOn(state_dir: string): FenceOn | null {
  const on = parsedObject(textOrEmpty(onFile(state_dir))) as Partial<FenceOn>;
  return on.v === 1 ? ({ ...on, repo: { ...on.repo, state_dir } } as FenceOn) : null;
}

export const writeOn = (state_dir: string, on: FenceOn): void => {
  replace(onFile(state_dir), `${JSON.stringify(on)}\n`);
};

/** Atomic, because shells may read the file at any moment. Writes nothing if nothing changed. */
export function replace(file: string, text: string): boolean {
  if (textOrEmpty(file) === text) return false;
  replaceWhole(file, text);
  return true;
}

export const textOrEmpty = (file: string): string => attempt(() => readFileSync(file, 'utf8'), '');
