/** `guard blame PATH`: which agent's write made which lines, and when, as far as contents are kept. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import type { Digest } from '../../core/types.ts';
import { decodeText } from '../../claude/text/encoding.ts';
import { act } from '../act.ts';
import type { ExitCode } from '../exit.ts';
import { withWorkspace } from '../workspace.ts';
import { targetIn } from '../../workspace/target-in.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { keptFrom } from '../../store/kept-records.ts';
import { say, type Shell } from '../shell.ts';
import { attribute, type BlamedLine, type Origin } from '../undo/attribute.ts';
import { bytesOfVersion, type History, historyOf } from '../undo/history.ts';
import { versionAuthors, safeLine, whenOf } from '../undo/words.ts';

interface Options {
  readonly json?: boolean;
}

export function define(command: Command, shell: Shell): void {
  command.argument('<path>', 'a file').option('--json', 'print JSON');
  act<Options>(command, shell, ({ args, options }) =>
    withWorkspace(shell, (space) => blame(space, args[0] ?? '', options, shell), args),
  );
}

function blame(space: Workspace, path: string, options: Options, shell: Shell): ExitCode {
  const history = historyOf(space, targetIn(space, path));
  const lines = linesOf(space, history);
  const kept = keptFrom(space.state_dir, space.store);
  const answer = { path: history.target.abs, lines: lines.map(asJson), ...(kept && { kept_from: kept }) };
  if (kept !== null && options.json !== true)
    shell.err(
      `guard: records before ${whenOf(kept)} are no longer kept; what was written then counts as not recorded.\n`,
    );
  return say(shell, options, answer, () => table(lines, shell));
}

function linesOf(space: Workspace, history: History): readonly BlamedLine[] {
  const { target, disk, versions } = history;
  if (disk.state !== 'file' || textOf(space, history, disk.digest) === undefined)
    throw new GuardError(
      'GUARD_ERR_UNREADABLE',
      `${target.abs} has no lines: it is ${disk.state === 'file' ? 'not text, or over 16 MiB' : disk.state}.`,
      `"guard log --path" shows its records.`,
      { path: target.abs, state: disk.state },
    );
  const known = versions.map((version) => ({ version, text: textOf(space, history, version.to) }));
  const first = versions.length === 0 ? disk.digest : versions[0]?.from;
  return attribute(textOf(space, history, first), known);
}

function textOf(
  space: Workspace,
  { disk }: History,
  digest: Digest | null | undefined,
): string | null | undefined {
  const bytes = digest === undefined ? undefined : bytesOfVersion(space, disk, digest);
  if (bytes === undefined || bytes === null) return bytes;
  return decodeText(bytes) ?? undefined;
}

function asJson({ text, origin }: BlamedLine, at: number): object {
  const { versions, may_be_older } = origin;
  const by = versions.map(({ lsn, ts, agents, how, tool }) => ({ lsn, ts, agents, how, tool }));
  return { line: at + 1, text, by, ...(may_be_older ? { may_be_older } : {}) };
}

const AGENT_CHARS = 40;

/** Prints the origin once for consecutive lines that share it. */
function table(lines: readonly BlamedLine[], { color }: Shell): string {
  const width = String(lines.length).length;
  const heads = lines.map(({ origin }, at) =>
    at > 0 && lines[at - 1]?.origin === origin ? '' : headOf(origin),
  );
  const wide = Math.max(0, ...heads.map((head) => head.length));
  const rows = lines.map(({ text }, at) => {
    const head = color.dim((heads[at] ?? '').padEnd(wide));
    return `${head} ${String(at + 1).padStart(width)} ${safeLine(text)}\n`;
  });
  return rows.join('');
}

function headOf({ versions, may_be_older }: Origin): string {
  const last = versions.at(-1);
  if (last === undefined) return 'not recorded';
  const whom = [...new Set(versions.map((version) => cut(versionAuthors(version))))].join(' or ');
  return `${whenOf(last)}  ${String(last.lsn ?? '-')}  ${whom}${may_be_older ? ', or older' : ''}`;
}

const cut = (name: string): string =>
  name.length <= AGENT_CHARS ? name : `${name.slice(0, AGENT_CHARS - 1)}…`;
