/** Carries out a plan as a write: checked, recorded and ended by the same rules as every write. */
import { randomUUID } from 'node:crypto';
import type { Denial } from '../../core/denial.ts';

import { GuardError } from '../../core/error.ts';
import { agentKey, pathKey } from '../../core/keys.ts';
import { guardError, protectedPath } from '../../core/messages.ts';
import type { Who } from '../../core/rules/who.ts';
import { afterMissing, afterWrite } from '../../core/rules/knowledge.ts';
import type { WriteVerdict } from '../../core/rules/write-event.ts';
import type { WrittenFile } from '../../core/rules/write-end.ts';
import { shownAt } from '../../core/shown.ts';
import { asAgentState, asPathState } from '../../core/states.ts';
import type { Facts } from '../../core/types.ts';
import { undoLimits } from '../../core/undo-limits.ts';
import { baselineFiles } from '../../workspace/baseline-file.ts';
import { whyProtectedFrom } from '../../claude/protected-from.ts';
import { keepContent } from '../../contents/keep-content.ts';
import { operate } from '../../store/operate.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import type { Plan } from './plan.ts';
import { replaceSeen } from './replace-file.ts';

export const UNDO_TOOL = 'undo';

/** `null` when done. @throws GuardError if the current content cannot be kept, or the file cannot be replaced */
export function restoreVersion(space: Workspace, shell: Shell, who: Who, plan: Plan): Denial | null {
  const { target, disk, bytes, digest } = plan;
  const op = `undo-${randomUUID()}`;
  const had = holds(space, who, plan);
  keepPresent(space, plan);
  const verdict = begin(space, shell, who, { plan, op });
  if (verdict.verdict === 'denied') return verdict.denial;
  try {
    replaceSeen(target, disk, bytes);
  } catch (error) {
    space.run({ type: 'op.end', who, ops: [op] });
    if (!had) letGo(space, who, plan);
    throw error;
  }
  const written: WrittenFile = { path: target.path, digest, content: 'as_expected', original: () => 'same' };
  space.run({ type: 'write.end', who, op, tool: UNDO_TOOL, written: [written] });
  if (who.kind === 'person') {
    if (!had) letGo(space, who, plan);
  } else noteSeen(space, who, plan);
  return null;
}

const TRIES = 5;

/**
 * A person needs no lock: the write takes the lease if no one has it, as in `auto`. The current content counts as seen,
 * because the difference was looked at, and exactly that content is replaced.
 */
function begin(
  space: Workspace,
  shell: Shell,
  who: Who,
  { plan, op }: { readonly plan: Plan; readonly op: string },
): WriteVerdict {
  const { target, disk } = plan;
  const facts = factsFor(space, who);
  const objections = objectionsTo(shell, who, plan, facts);
  for (let tries = 0; ; tries++) {
    const turn = asAgentState(stateAt(space, agentKey(who.id)))?.turn ?? 1;
    const verdict = operate(
      space.store,
      {
        type: 'write.begin',
        who,
        op,
        tool: UNDO_TOOL,
        targets: [
          {
            path: target.path,
            abs: target.abs,
            disk,
            form: null,
            baseline: { turn, knows: disk.digest === null ? 'absent' : 'content', digest: disk.digest },
            seen_touched: asPathState(stateAt(space, pathKey(target.path))).touched,
            objections,
          },
        ],
        home: null,
      },
      facts,
    );
    if (verdict.verdict !== 'retry') return verdict;
    if (tries < TRIES) continue;
    throw new GuardError(
      'GUARD_ERR_UNSTABLE',
      `${target.abs} is being written by others again and again.`,
      'Wait until they have finished, then try again.',
      { path: target.abs },
    );
  }
}

function factsFor(space: Workspace, { kind }: Who): Facts {
  const facts = space.facts();
  const { policy } = facts;
  if (kind !== 'person' || policy.enforcement !== 'required') return facts;
  return { ...facts, policy: { ...policy, enforcement: 'auto' } };
}

/** Files that keep the repository guarded may be restored only by a person. */
function objectionsTo(shell: Shell, who: Who, { target, bytes, disk }: Plan, facts: Facts) {
  const at = shownAt(target.abs, target.path, facts);
  const why = who.kind === 'person' ? null : whyProtectedFrom({ file: target.real, bytes }, shell);
  if (why !== null) return [protectedPath(at, why)];
  if (disk.state === 'file' || disk.state === 'missing') return [];
  const failure = { code: 'GUARD_ERR_UNREADABLE', message: `${target.abs} is not a regular file.`, hint: '' };
  return [guardError(at, failure)];
}

const stateAt = ({ store }: Workspace, key: string) => store.look([key]).get(key);

const holds = (space: Workspace, { id }: Who, { target }: Plan): boolean =>
  asPathState(stateAt(space, pathKey(target.path))).holds.some(({ agent }) => agent === id);

const letGo = (space: Workspace, who: Who, { target }: Plan): void =>
  void space.run({ type: 'lock.release', who, paths: [target.path] });

/** So that this undo can be undone, too. An empty or missing file needs no keeping. */
function keepPresent(space: Workspace, { target, disk }: Plan): void {
  if (disk.digest === null || disk.size === 0) return;
  const { repo, config } = space;
  const limits = undoLimits(config.undo);
  const store = { state_dir: repo.state_dir, limits, wall_ms: space.facts().now.wall_ms };
  const { path, abs } = target;
  const { bytes, digest } = disk;
  const kept = bytes === undefined ? 'not_kept' : keepContent(store, { path, abs, digest, bytes });
  if (kept === 'new' || kept === 'known') return;
  throw new GuardError(
    kept === 'failed' ? 'GUARD_ERR_IO' : 'GUARD_ERR_UNDO',
    `What is in ${abs} now cannot be kept, so this undo could not be undone.`,
    'Move the file away and run the command again: it is then restored like a deleted file.',
    { path: abs, size: disk.size },
  );
}

/** The agent has seen what it restores, in the difference that it was shown. */
function noteSeen(space: Workspace, { id }: Who, { target, digest }: Plan): void {
  const turn = asAgentState(stateAt(space, agentKey(id)))?.turn ?? 1;
  const seen = digest === null ? afterMissing(turn) : afterWrite(turn, digest, true, null);
  baselineFiles(space.state_dir, id).write(target.path, seen);
}
