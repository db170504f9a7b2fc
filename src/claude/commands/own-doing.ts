// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * When a file that its agent never saw was last changed by anything but that agent's own commands: `touch`, `chmod +x`,
 * `git mv`, a program that created it. Without this, an agent that makes a script executable could no longer append to it.
 *
 * This requires proof, not trust: the command's window names the file with its earlier stamp, or the file was created
 * within it; the last change lies in that window, and no other agent's command was open then.
 */
import fs from 'node:fs';
import type { Target } from '../../repo/canonical.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { stampOf } from '../../repo/stat-key.ts';
import { COARSE_MS } from '../../core/drift.ts';
import type { AgentId } from '../../core/types.ts';
import type { HookSpace, Hook } from '../context.ts';
import type { WindowFile } from './open-windows.ts';
import { historyIn, type WindowHistory } from './window-history.ts';

/** A file as found on disk. Times are milliseconds since the epoch. */
interface Seen {
  readonly abs: string;
  /** `dev.ino.size.mtimeNs.ctimeNs` */
  readonly key: string;
  readonly born_ms: number;
  readonly ctime_ms: number;
}

/** `disk` with the time of the last change that was not the agent's own. Only asked about files without a baseline. */
export function sinceOwnDoing<Disk extends DiskFact>(
  hook: Hook,
  space: HookSpace,
  { path, real }: Target,
  disk: Disk,
): Disk {
  const joined_ms = hook.home.agent()?.joined_wall_ms;
  if (disk.state !== 'file' || joined_ms === undefined || disk.ctime_ms <= joined_ms) return disk;
  const { key } = stampOf(real);
  const seen = {
    abs: real,
    key,
    born_ms: fs.statSync(real, { throwIfNoEntry: false })?.birthtimeMs ?? 0,
    ctime_ms: disk.ctime_ms,
  };
  const ctime_ms = lastByOthers(seen, { me: hook.who.id, path, ...historyIn(space.state_dir) });
  return ctime_ms === disk.ctime_ms ? disk : { ...disk, ctime_ms };
}

export interface Windows extends WindowHistory {
  readonly me: AgentId;
  readonly path: string;
}

/** Goes back from window to window, each of which gives the file's state before it. 0: no one else ever changed it. */
export function lastByOthers(seen: Seen, asked: Windows): number {
  for (let at = seen; ;) {
    const before = beforeOwn(at, asked);
    if (before === null || before === 'made') return before === null ? at.ctime_ms : 0;
    at = before;
  }
}

/** The file's state before its agent's own command changed it; null if someone else may have changed it. */
function beforeOwn(at: Seen, { me, path, windows, after_ms, before_ms }: Windows): Seen | 'made' | null {
  const { abs, ctime_ms } = at;
  if (ctime_ms <= after_ms || ctime_ms >= before_ms - COARSE_MS) return null;
  const open = windows.filter((one) => isOpenAt(one, ctime_ms) && !saw(one, abs, ctime_ms));
  if (open.some(({ agent }) => agent !== me)) return null;
  const proving = open.filter(({ in_background, unheard }) => !in_background && unheard !== true);
  // Only the newest: earlier states are covered by other windows.
  const [newest] = proving
    .flatMap((one) => keysBefore(one, at, path))
    .filter((key) => ctimeOf(key) < ctime_ms)
    .toSorted((a, b) => ctimeOf(b) - ctimeOf(a));
  if (newest !== undefined) return { ...at, key: newest, ctime_ms: ctimeOf(newest) };
  return proving.some((one) => isOpenAt(one, at.born_ms) && makes(one, at, path)) ? 'made' : null;
}

const isOpenAt = ({ since_ms, until_ms }: WindowFile, at_ms: number): boolean =>
  since_ms - COARSE_MS <= at_ms && (until_ms === null || at_ms <= until_ms);

/** If a command began within the granularity of the clock, it found the change in place and did not make it. */
const saw = ({ candidates }: WindowFile, abs: string, ctime_ms: number): boolean =>
  ctimeOf(candidates[abs] ?? '') >= ctime_ms;

const ctimeOf = (key: string): number => Number(key.split('.')[4] ?? 0) / 1e6;

/**
 * Earlier keys of files that the line names as targets, or of a file whose times, name or mode alone have changed, which
 * its size and modification time show. A file that the line merely shows or marks may be written by anyone meanwhile.
 */
function keysBefore(window: WindowFile, { abs, key }: Seen, path: string): string[] {
  const isOwn = (before: string): boolean =>
    isWritten(window, path) || (isMarked(window, path) && isAlike(before, key, OF_FILE));
  return Object.entries(window.candidates)
    .filter(([, before]) => before !== '')
    .filter(([name, before]) => isAlike(before, key, OF_BODY) || (name === abs && isOwn(before)))
    .map(([, before]) => before);
}

const makes = (window: WindowFile, { key }: Seen, path: string): boolean =>
  isWritten(window, path) || (isMarked(window, path) && key.split('.')[2] === '0');

const isWritten = ({ targets }: WindowFile, path: string): boolean => targets?.includes(path) === true;

const isMarked = ({ marked = [] }: WindowFile, path: string): boolean => marked.includes(path);

/** How many leading parts of `dev.ino.size.mtimeNs.ctimeNs` are compared. */
const OF_FILE = 3;
const OF_BODY = 4;

const isAlike = (before: string, after: string, parts: number): boolean =>
  before.split('.', parts).join('.') === after.split('.', parts).join('.');
