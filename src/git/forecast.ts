/** What the git commands of a line would touch, one after the other, determined by asking git before any of them runs. */
import { lstatSync } from 'node:fs';
import { attempt } from '../core/attempt.ts';
import { type Act, type Touch, TOUCHES_NOTHING } from './act.ts';
import { touchOf } from './acts/table.ts';
import { resolveAlias } from './alias.ts';
import { gitAt, OutOfTime } from './ask.ts';
import { HARMLESS, JUDGED } from './names.ts';
import { gitWithin } from './modules.ts';
import { checkoutOf, type GitCheckout } from './place.ts';
import { heedPointers } from './pointers.ts';
import { gitWords, type GitWords, known, type Word } from './words.ts';

/** A git command as the reader of command lines passes it on. */
export interface ForecastCall {
  readonly args: readonly Word[];
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string | null;
  readonly source: string;
}

export interface Foreseen {
  readonly call: ForecastCall;
  readonly command: string;
  readonly at: GitCheckout;
  readonly touch: Touch;
  /** git did not answer in time, so `touch` says nothing. */
  readonly is_late: boolean;
}

/** Variables that determine which repository is meant; all others could start programs. */
const PASSED =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|CEILING_DIRECTORIES|(?:LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/;

export interface Asking {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** On the clock of monotonic(), for all commands together. */
  readonly until_ms: number;
  /** Whether a checkout is worth asking about. */
  readonly isOfInterest?: (at: GitCheckout) => boolean;
}

export function foresee(calls: readonly ForecastCall[], asking: Asking): readonly Foreseen[] {
  const found: Foreseen[] = [];
  let piped: Act['piped'] = null;
  for (const call of calls) {
    const saved = found.filter(({ touch }) => touch.saves === true).length;
    const one = foreseeOne(call, asking, { saved_before: saved, added_before: addedBy(found), piped });
    piped = pipedFrom(call);
    if (one !== null) found.push(one);
  }
  return found;
}

const addedBy = (found: readonly Foreseen[]): readonly string[] =>
  found
    .filter(({ command }) => command === 'add' || command === 'stage')
    .flatMap(({ touch }) => touch.files?.map(({ path }) => path) ?? []);

const pipedFrom = ({ args, cwd }: ForecastCall): readonly string[] | null => {
  const { command, args: words } = gitWords(args, cwd);
  const isPatch = command === 'diff' || command === 'show';
  return isPatch && !words.includes(null) ? [command, ...known(words)] : null;
};

function foreseeOne(
  call: ForecastCall,
  asking: Asking,
  before: Pick<Act, 'saved_before' | 'added_before' | 'piped'>,
): Foreseen | null {
  const words = gitWords(call.args, call.cwd);
  if (words.command !== null && HARMLESS.has(words.command)) return null;
  const variables = passed({ ...asking.env, ...call.env });
  const at = checkoutOf(words, variables);
  if (at === null || asking.isOfInterest?.(at) === false) return null;
  const told = { call, at, command: words.command ?? '', is_late: false };
  if (words.command === null) return { ...told, touch: { unresolved: 'which git command' } };
  const git = gitAt(whereFor(words, at, variables, asking));
  try {
    const meant = JUDGED.has(words.command) ? words : resolveAlias(words, git);
    if (meant === null) return { ...told, touch: { unresolved: `what git ${words.command} does` } };
    if ('shell' in meant) return { ...told, touch: { unresolved: meant.shell } };
    const { command, args, settings } = meant;
    const gitIn: Act['gitIn'] = (root) => gitWithin(root, asking);
    const around = { ...at, ...before, git, gitIn, stdin: call.stdin, kind };
    const act = { ...around, command: command ?? '', args, settings };
    return { ...told, command: act.command, touch: heedPointers(act, touchOf(act)) };
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { ...told, touch: TOUCHES_NOTHING, is_late: true };
  }
}

function passed(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const pairs = Object.entries(env).filter(
    (one): one is [string, string] => PASSED.test(one[0]) && one[1] !== undefined,
  );
  return Object.fromEntries(pairs);
}

function whereFor(
  { settings, pathspecs, git_dir, work_tree }: GitWords,
  { cwd, common_dir, git_dir: found, root }: GitCheckout,
  variables: Record<string, string>,
  { env, until_ms }: Asking,
) {
  const isNamed = git_dir !== null || work_tree !== null;
  const named = isNamed ? { ...variables, GIT_DIR: found, GIT_WORK_TREE: root } : variables;
  return { cwd, common_dir, settings, pathspecs, env, until_ms, variables: named };
}

const kind = (abs: string): ReturnType<Act['kind']> =>
  attempt(() => {
    const stat = lstatSync(abs);
    return stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other';
  }, null);
