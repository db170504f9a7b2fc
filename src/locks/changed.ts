/**
 * Which of the files just locked differ from what their holder last saw. A write to those would be denied, so reporting
 * them here saves one denial per file. The rule that checks writes decides this too, and later finds anything not
 * examined here.
 */
import fs from 'node:fs';
import { attempt, unlessRefused } from '../core/attempt.ts';
import { pathKey } from '../core/keys.ts';
import { type Baseline, judgeBaseline } from '../core/rules/baseline.ts';
import { shownAt } from '../core/shown.ts';
import { asPathState } from '../core/states.ts';
import type { AgentId } from '../core/types.ts';
import { digestFile, type DiskFact } from '../repo/digest.ts';
import { baselineFiles } from '../workspace/baseline-file.ts';
import { targetIn } from '../workspace/target-in.ts';
import type { CallerWorkspace, Workspace } from '../workspace/workspace.ts';
import type { LocatedPath } from './located.ts';
import type { Acquired, ChangedSince, LockRow } from './rows.ts';

/** For all files of one answer: about 20 ms. */
const BYTES_MAX = 16 << 20;

export function withChanges(
  space: CallerWorkspace,
  located: readonly LocatedPath[],
  told: Acquired,
): Acquired {
  let left_bytes = BYTES_MAX;
  const { id: me } = space.who;
  const seen = baselineFiles(space.state_dir, me);
  const results = told.results.map((row, nth): LockRow => {
    const path = located[nth]?.path ?? null;
    const baseline = row.acquired && path !== null ? seen.read(path) : null;
    if (baseline === null || path === null) return row;
    const { real, abs } = targetIn(space, row.filepath);
    const size = sizeOf(real);
    if (size > left_bytes) return row;
    left_bytes -= size;
    const changed = changeOf(space, { me, path, abs, baseline }, look(real));
    return changed === null ? row : { ...row, changed };
  });
  return { ...told, results };
}

interface Known {
  readonly me: AgentId;
  readonly path: string;
  readonly abs: string;
  readonly baseline: Baseline;
}

/** In whatever turn it was read: if it differs, it must be read again. */
function changeOf(space: Workspace, known: Known, disk: DiskFact | 'unstable'): ChangedSince | null {
  if (disk === 'unstable') return { since_read: true, by: 'unknown' };
  if (disk.state !== 'file' && disk.state !== 'missing') return null;
  const { me, path, abs, baseline } = known;
  const facts = space.facts();
  const key = pathKey(path);
  const state = asPathState(space.store.look([key]).get(key));
  const life = { id: me, turn: baseline.turn, joined_wall_ms: 0, joined_lsn: null, context: 'own' as const };
  const objection = judgeBaseline(shownAt(abs, path, facts), life, { state, baseline, disk }, facts);
  if (objection === null) return null;
  const { changed_by } = objection.details;
  const by = baseline.digest !== disk.digest && typeof changed_by === 'string' ? changed_by : 'unknown';
  return { since_read: true, by, ...(disk.state === 'missing' ? { gone: true } : {}) };
}

/** `unstable`: it is being written at this moment. The lock has been acquired anyway. */
const look = (real: string): DiskFact | 'unstable' =>
  unlessRefused<DiskFact | 'unstable'>(
    () => digestFile(real, { deadline: () => undefined }),
    () => 'unstable',
  );

const sizeOf = (real: string): number => attempt(() => fs.lstatSync(real).size, 0);
