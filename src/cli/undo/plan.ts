/** What an undo would put where, before anything is touched. */
import { applyPatch, structuredPatch, reversePatch } from 'diff';
import { GuardError } from '../../core/error.ts';
import type { Lsn } from '../../core/ledger.ts';
import type { Who } from '../../core/rules/agent.ts';
import type { AgentId, Digest } from '../../core/types.ts';
import { asAt, beforeLast, beforeRun, changesBy } from '../../core/undo-wish.ts';
import type { UndoWish } from '../../core/undo-wish.ts';
import type { Version } from '../../core/versions.ts';
import { decodeText } from '../../claude/text/encoding.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestBytes } from '../../repo/digest.ts';
import type { DiskFact } from '../../repo/digest.ts';
import type { CliLedger } from '../ledger.ts';
import { bytesOfVersion, historyOf } from './history.ts';
import type { History } from './history.ts';
import { refuseLink } from './other-names.ts';
import { gitCommandFor } from './in-git.ts';

export interface Plan {
  readonly target: Target;
  readonly disk: DiskFact;
  /** What is to be there; null: no file. */
  readonly bytes: Buffer | null;
  readonly digest: Digest | null;
  /** The change that is undone, or the first of them. */
  readonly undoes: Version | null;
}

export interface Ask {
  readonly agent?: AgentId | undefined;
  readonly to?: Lsn | undefined;
}

/** Null: there is nothing to undo. @throws GuardError GUARD_ERR_NO_CONTENT, GUARD_ERR_UNDO, GUARD_ERR_UNREADABLE */
export function planFor(ledger: CliLedger, target: Target, ask: Ask, who: Who): Plan | null {
  refuseLink(ledger, target);
  const history = historyOf(ledger, target);
  const { disk, versions } = history;
  if (disk.state !== 'file' && disk.state !== 'missing') throw unreadable(target, disk);
  const { agent, to } = ask;
  const seen = who.kind === 'person' ? null : (ledger.seen(who.id, target.path)?.digest ?? null);
  if (agent !== undefined && to === undefined) return planForAgent(ledger, history, agent);
  const wish = to === undefined ? beforeLast(versions, { id: who.id, seen }) : asAt(versions, to);
  return wish === null ? null : planOf(ledger, history, wish);
}

function planForAgent(ledger: CliLedger, history: History, agent: AgentId): Plan | null {
  const wish = beforeRun(history.versions, agent);
  if (wish !== null) return planOf(ledger, history, wish);
  const changes = changesBy(history.versions, agent);
  return changes.length === 0 ? null : withoutChanges(ledger, history, changes);
}

function planOf(ledger: CliLedger, { target, disk }: History, { digest, undoes }: UndoWish): Plan | null {
  if (digest === disk.digest) return null;
  const bytes = bytesOfVersion(ledger, disk, digest);
  if (bytes === undefined) throw noContent(target, digest ?? '');
  return { target, disk, bytes, digest, undoes };
}

/** Others built on what the agent wrote: its changes are taken out of what is there, as `git revert` would. */
function withoutChanges(ledger: CliLedger, history: History, changes: readonly Version[]): Plan | null {
  const { target, disk } = history;
  const start = disk.bytes === undefined ? null : decodeText(disk.bytes);
  const text = changes.reduce<string | null>((now, change) => {
    const [before, after] = [change.from, change.to].map((digest) => textFor(ledger, history, digest));
    return now === null ? null : without(now, before ?? '', after ?? '');
  }, start);
  if (text === null) throw builtOn(target);
  const bytes = Buffer.from(text);
  const digest = digestBytes(bytes);
  return digest === disk.digest ? null : { target, disk, bytes, digest, undoes: changes.at(-1) ?? null };
}

function textFor(ledger: CliLedger, { target, disk }: History, digest: Digest | null | undefined): string {
  if (digest === null) return '';
  const bytes = digest === undefined ? undefined : bytesOfVersion(ledger, disk, digest);
  if (bytes === undefined || bytes === null) throw noContent(target, digest ?? '');
  const text = decodeText(bytes);
  if (text === null) throw builtOn(target);
  return text;
}

function without(now: string, before: string, after: string): string | null {
  const patch = structuredPatch('a', 'a', before, after, '', '', { context: 3, maxEditLength: 5_000 });
  if (!patch) return null;
  const back = applyPatch(now, reversePatch(patch), { fuzzFactor: 0, autoConvertLineEndings: false });
  return back === false ? null : back;
}

const KINDS: Readonly<Record<DiskFact['state'], string>> = {
  file: 'a file',
  missing: 'gone',
  directory: 'a directory now',
  special: 'no regular file',
  unreadable: 'not readable',
};

const unreadable = ({ abs }: Target, { state, error }: DiskFact): GuardError =>
  new GuardError(
    'GUARD_ERR_UNREADABLE',
    `${abs} cannot be undone: it is ${state === 'unreadable' ? `not readable (${error ?? ''})` : KINDS[state]}.`,
    'Only regular files are undone. Where a file was before, move away what is there and run the command again: it is then brought back.',
    { path: abs, state },
  );

const builtOn = ({ abs }: Target): GuardError =>
  new GuardError(
    'GUARD_ERR_UNDO',
    `Others changed ${abs} after that, in the same lines, or it is not text.`,
    'Look at "guard blame", then restore one version with --to LSN, or edit the file by hand.',
    { path: abs },
  );

/** With the way by git where git has the very same content. */
function noContent(target: Target, digest: Digest): GuardError {
  const { abs } = target;
  const command = digest === '' ? null : gitCommandFor(target, digest);
  const hint =
    command === null
      ? 'It was too large, too old, excluded, or guard was not there. Git may have an older one: git log --stat -- FILE.'
      : `Git has it: ${command}`;
  return new GuardError(
    'GUARD_ERR_NO_CONTENT',
    `The content of ${abs} that is asked for was not kept.`,
    hint,
    {
      path: abs,
      digest: digest === '' ? null : digest,
      git: command,
    },
  );
}
