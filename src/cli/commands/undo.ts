/** `guard undo [PATH]`: shows what a change did to a file, and takes it back as a write like any other. */
import { type Command, InvalidArgumentError } from 'commander';
import { unlessRefused } from '../../core/attempt.ts';
import type { Denial } from '../../core/denial.ts';
import { GuardError } from '../../core/error.ts';
import type { Lsn } from '../../core/ledger.ts';
import { plain } from '../../core/plain.ts';
import type { Who } from '../../core/rules/who.ts';
import type { Target } from '../../repo/canonical.ts';
import { failureOf } from '../../operations/operation.ts';
import { spelledAt } from '../../repo/spelled.ts';
import { act } from '../act.ts';
import { callerOf } from '../caller.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { withWorkspace } from '../workspace.ts';
import { targetIn } from '../../workspace/target-in.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import { onDisk } from '../undo/history.ts';
import { otherNames } from '../undo/other-names.ts';
import { type Plan, planFor } from '../undo/plan.ts';
import { changedPathsOf, type RecentChange, recentChanges } from '../undo/recent.ts';
import { restoreVersion } from '../undo/restore.ts';
import { unified } from '../undo/unified.ts';
import { versionAuthors, diffLines, whenOf } from '../undo/words.ts';

interface Options {
  readonly agent?: string;
  readonly to?: Lsn;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function define(command: Command, shell: Shell): void {
  command
    .argument('[path]', 'a file; without one: what could be undone')
    .option(
      '--agent <id>',
      "take back this agent's changes (and its subagents'); without a path: in every file",
    )
    .option('--to <lsn>', 'restore the file as of this record in "guard log"', asLsn)
    .option('--dry-run', 'show the difference without changing anything')
    .option('--json', 'print JSON');
  act<Options>(command, shell, ({ args, options }) =>
    withWorkspace(shell, (space) => undo(space, args[0], options, shell), args),
  );
}

function asLsn(text: string): Lsn {
  const lsn = Number(text);
  if (Number.isSafeInteger(lsn) && lsn >= 0) return lsn;
  throw new InvalidArgumentError('Use an lsn, as "guard log --json --path FILE" shows it.');
}

/** The result for one file. */
interface Outcome {
  readonly target: Target;
  readonly plan: Plan | null;
  readonly denial: Denial | null;
  readonly failure: GuardError | null;
  /** If there is nothing to undo: other names under which the same content is recorded. */
  readonly known_as: readonly string[];
}

function undo(space: Workspace, path: string | undefined, options: Options, shell: Shell): ExitCode {
  const who = callerOf(space, undefined);
  if (path === undefined && options.agent === undefined) return list(space, who, options, shell);
  const targets = targetsOf(space, path, options);
  const outcomes = targets.map((target) => attempt(space, target, { who, options, shell }));
  const [only] = outcomes;
  // With a single file, its failure is the command's.
  if (path !== undefined && only?.failure) throw only.failure;
  if (options.json === true) shell.json({ files: outcomes.map((one) => asJson(one, options)) });
  else for (const one of outcomes) show(one, options, shell);
  if (outcomes.length === 0 && options.json !== true) shell.out('Nothing to undo.\n');
  const done = outcomes.every(({ plan, denial }) => plan !== null && denial === null);
  return done && outcomes.length > 0 ? EXIT.yes : EXIT.no;
}

function targetsOf(space: Workspace, path: string | undefined, { agent = '' }: Options): readonly Target[] {
  if (path !== undefined) return [targetIn(space, path)];
  const spelled = spelledAt(space.repo);
  return changedPathsOf(space, agent).map((one) => targetIn(space, spelled(one)));
}

interface Around {
  readonly who: Who;
  readonly options: Options;
  readonly shell: Shell;
}

function attempt(space: Workspace, target: Target, { who, options, shell }: Around): Outcome {
  const none = { target, plan: null, denial: null, failure: null, known_as: [] };
  const work = (): Outcome => {
    const plan = planFor(space, target, { agent: options.agent, to: options.to }, who);
    if (plan === null) return { ...none, known_as: otherNames(space, target, onDisk(target)) };
    if (options.dryRun === true) return { ...none, plan };
    return { ...none, plan, denial: restoreVersion(space, shell, who, plan) };
  };
  return unlessRefused(work, (failure) => ({ ...none, failure }));
}

/** A terminal shows a screen or two; a program gets as much as a model can read. */
const SHOWN_LINES = 200;
const JSON_LINES = 2_000;

function diffOf({ target, disk, bytes }: Plan, max_lines: number) {
  const name = target.path.replace(/^\/\/[^/]+\//, '');
  return unified({ name: `a/${name}`, bytes: disk.bytes ?? null }, { name: `b/${name}`, bytes }, max_lines);
}

function asJson({ target, plan, denial, failure, known_as }: Outcome, { dryRun }: Options): object {
  const head = { path: target.abs, restored: plan !== null && denial === null && dryRun !== true };
  const named = known_as.length > 0 ? { known_as } : {};
  if (plan === null) return { ...head, nothing: failure === null, ...named, ...failureOf(failure) };
  const { text, omitted_lines, instead } = diffOf(plan, JSON_LINES);
  const { undoes, disk, digest } = plan;
  return {
    ...head,
    from: disk.digest,
    to: digest,
    undoes: undoes && { lsn: undoes.lsn, ts: undoes.ts, agents: undoes.agents, how: undoes.how },
    ...(instead === null ? { diff: text } : { diff: null, instead }),
    ...(omitted_lines > 0 ? { omitted_lines } : {}),
    ...(denial ? { denial } : {}),
  };
}

function show({ target, plan, denial, failure, known_as }: Outcome, { dryRun }: Options, shell: Shell): void {
  const { color } = shell;
  const file = plain(target.abs);
  if (failure !== null) {
    shell.err(`${color.red(failure.code)} ${plain(failure.message)}\n  ${plain(failure.hint)}\n`);
    return;
  }
  if (plan === null) {
    const names = known_as.map((path) => plain(path)).join(', ');
    const moved = names === '' ? '' : ` Its content is recorded as ${names}: undo it under that name.`;
    shell.out(`${file}: nothing to undo.${moved}\n`);
    return;
  }
  const { undoes, bytes } = plan;
  const what = undoes === null ? '' : `, before the change of ${whenOf(undoes)} by ${versionAuthors(undoes)}`;
  const goes = bytes === null ? ' (removes the file: there was none)' : '';
  shell.out(`${color.bold(file)}${what}${goes}\n${diffLines(diffOf(plan, SHOWN_LINES), shell)}`);
  if (denial !== null) shell.err(`${color.red(denial.error_type)} ${wordsOf(denial)}\n`);
  else if (dryRun !== true) shell.out(`${color.green('restored')} ${file}\n`);
}

const wordsOf = ({ message, recovery_hint, details }: Denial): string =>
  plain(
    [message, typeof details['holder'] === 'string' ? `Holder: ${details['holder']}.` : '', recovery_hint]
      .filter(Boolean)
      .join(' '),
  );

function list(space: Workspace, who: Who, { json, to }: Options, shell: Shell): ExitCode {
  if (to !== undefined)
    throw new GuardError('GUARD_ERR_USAGE', '--to needs a file.', 'guard undo FILE --to LSN', {});
  const changes = recentChanges(space, who);
  if (json === true) shell.json({ changes });
  else if (changes.length === 0) shell.out('No recorded change could be undone.\n');
  else for (const change of changes) shell.out(`${lineOf(change, shell)}\n`);
  return EXIT.yes;
}

function lineOf(change: RecentChange, { color }: Shell): string {
  const { path, lsn, available, from, to } = change;
  const what = from === null ? 'created' : to === null ? 'deleted' : 'changed';
  const rest = available ? '' : color.dim('  (the content before is not kept)');
  return `${whenOf(change)}  ${String(lsn)}  ${what}  ${color.bold(plain(path))}  ${versionAuthors(change)}${rest}`;
}
