/** What an undo would write where, before anything is touched. */
import { applyPatch, structuredPatch, reversePatch } from 'diff';
import { GuardError } from '../../core/error.ts';
import type { Lsn } from '../../core/ledger.ts';
import type { Who } from '../../core/rules/who.ts';
import type { AgentId, Digest } from '../../core/types.ts';
import { asAt, beforeLast, beforeRun, changesBy, type UndoWish } from '../../core/undo-wish.ts';
import type { Version } from '../../core/versions.ts';
import { decodeText } from '../../claude/text/encoding.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestBytes, type DiskFact } from '../../repo/digest.ts';
import { baselineFiles } from '../../workspace/baseline-file.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { bytesOfVersion, type History, historyOf } from './history.ts';
import { keptFrom } from '../../store/kept-records.ts';
import { refuseLink } from './other-names.ts';
import { gitCommandFor } from './in-git.ts';

export interface Plan {
  readonly target: Target;
  readonly disk: DiskFact;
  /** The content to restore; `null` for no file. */
  readonly bytes: Buffer | null;
  readonly digest: Digest | null;
  /** The change that is undone, or the first of them. */
  readonly undoes: Version | null;
}

export interface Ask {
  readonly agent?: AgentId | undefined;
  readonly to?: Lsn | undefined;
}

/** `null` if there is nothing to undo. @throws GuardError GUARD_ERR_NO_CONTENT, GUARD_ERR_UNDO, GUARD_ERR_UNREADABLE */
export function planFor(space: Workspace, target: Target, ask: Ask, who: Who): Plan | null {
  refuseLink(space, target);
  refuseCut(space, target, ask);
  const history = historyOf(space, target);
  const { disk, versions } = history;
  if (disk.state !== 'file' && disk.state !== 'missing') throw unreadable(target, disk);
  const { agent, to } = ask;
  const seen =
    who.kind === 'person' ? null : (baselineFiles(space.state_dir, who.id).read(target.path)?.digest ?? null);
  if (agent !== undefined && to === undefined) return planForAgent(space, history, agent);
  const wish = to === undefined ? beforeLast(versions, { id: who.id, seen }) : asAt(versions, to);
  return wish === null ? null : planOf(space, history, wish);
}

/** Refuses an lsn whose record is no longer kept: the file's state then is unknown. */
function refuseCut({ state_dir, store }: Workspace, { abs }: Target, { to = 0 }: Ask): void {
  const kept = to > 0 ? keptFrom(state_dir, store) : null;
  if (kept === null || to >= kept.lsn) return;
  throw new GuardError(
    'GUARD_ERR_NO_CONTENT',
    `What ${abs} was at ${to} is not known: records before ${kept.lsn} (${kept.ts}) are no longer kept.`,
    'Git may have an older one: git log --stat -- FILE. "archive_keep" in the configuration says how much is kept.',
    { path: abs, digest: null, git: null, kept_from: kept.lsn },
  );
}

function planForAgent(space: Workspace, history: History, agent: AgentId): Plan | null {
  const wish = beforeRun(history.versions, agent);
  if (wish !== null) return planOf(space, history, wish);
  const changes = changesBy(history.versions, agent);
  return changes.length === 0 ? null : withoutChanges(space, history, changes);
}

function planOf(space: Workspace, { target, disk }: History, { digest, undoes }: UndoWish): Plan | null {
  if (digest === disk.digest) return null;
  const bytes = bytesOfVersion(space, disk, digest);
  if (bytes === undefined) throw noContent(target, digest ?? '');
  return { target, disk, bytes, digest, undoes };
}

/** Others built on what the agent wrote, so its changes are taken out of the current content, as `git revert` would. */
function withoutChanges(space: Workspace, history: History, changes: readonly Version[]): Plan | null {
  const { target, disk } = history;
  const start = disk.bytes === undefined ? null : decodeText(disk.bytes);
  const text = changes.reduce<string | null>((now, change) => {
    const [before, after] = [change.from, change.to].map((digest) => textFor(space, history, digest));
    return now === null ? null : without(now, before ?? '', after ?? '');
  }, start);
  if (text === null) throw builtOn(target);
  const bytes = Buffer.from(text);
  const digest = digestBytes(bytes);
  return digest === disk.digest ? null : { target, disk, bytes, digest, undoes: changes.at(-1) ?? null };
}

function textFor(space: Workspace, { target, disk }: History, digest: Digest | null | undefined): string {
  if (digest === null) return '';
  const bytes = digest === undefined ? undefined : bytesOfVersion(space, disk, digest);
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
  special: 'not a regular file',
  unreadable: 'not readable',
};

const unreadable = ({ abs }: Target, { state, error }: DiskFact): GuardError =>
  new GuardError(
    'GUARD_ERR_UNREADABLE',
    `${abs} cannot be undone: it is ${state === 'unreadable' ? `not readable (${error ?? ''})` : KINDS[state]}.`,
    'Only regular files are undone. If there was a file before, move away what is there and run the command again: the file is then restored.',
    { path: abs, state },
  );

const builtOn = ({ abs }: Target): GuardError =>
  new GuardError(
    'GUARD_ERR_UNDO',
    `Others changed ${abs} after that, in the same lines, or it is not text.`,
    'Look at "guard blame", then restore one version with --to LSN, or edit the file by hand.',
    { path: abs },
  );

/** Names the git command if git has exactly the same content. */
function noContent(target: Target, digest: Digest): GuardError {
  const { abs } = target;
  const command = digest === '' ? null : gitCommandFor(target, digest);
  const hint =
    command === null
      ? 'It was too large, too old, excluded, or guard was not there. Git may have an older one: git log --stat -- FILE.'
      : `Git has it: ${command}`;
  const message = `The requested content of ${abs} was not kept.`;
  const facts = { path: abs, digest: digest === '' ? null : digest, git: command };
  return new GuardError('GUARD_ERR_NO_CONTENT', message, hint, facts);
}
