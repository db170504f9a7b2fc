// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * When a file that its agent never saw was last changed by anybody but that agent's own commands: `touch`, `chmod +x`,
 * `git mv`, a program that made it. Without this an agent that makes a script executable could not append to it any more.
 *
 * Proof, not trust: the command's window names the file with its stamp before, or the file came to be within it; the
 * last change lies in that window, and no other agent's command was open then.
 */
import fs from 'node:fs';
import type { Target } from '../../repo/canonical.ts';
import type { DiskFact } from '../../repo/digest.ts';
import { stampOf } from '../../repo/stat-key.ts';
import { COARSE_MS } from '../../core/drift.ts';
import type { AgentId } from '../../core/types.ts';
import type { Place, Scene } from '../scene.ts';
import { windowsIn } from './open-windows.ts';
import type { WindowFile } from './open-windows.ts';

/** A file as it is. Milliseconds since the epoch. */
interface Seen {
  readonly abs: string;
  /** `dev.ino.size.mtimeNs.ctimeNs` */
  readonly key: string;
  readonly born_ms: number;
  readonly ctime_ms: number;
}

/** `disk` with the time of the last change that was not the agent's own. Only asked about files without a baseline. */
export function sinceOwnDoing<Disk extends DiskFact>(
  scene: Scene,
  place: Place,
  { path, real }: Target,
  disk: Disk,
): Disk {
  const joined_ms = scene.home.agent()?.joined_wall_ms;
  if (disk.state !== 'file' || joined_ms === undefined || disk.ctime_ms <= joined_ms) return disk;
  const { key } = stampOf(real);
  const seen = {
    abs: real,
    key,
    born_ms: fs.statSync(real, { throwIfNoEntry: false })?.birthtimeMs ?? 0,
    ctime_ms: disk.ctime_ms,
  };
  const ctime_ms = lastByOthers(seen, { me: scene.who.id, path, windows: windowsIn(place.state_dir) });
  return ctime_ms === disk.ctime_ms ? disk : { ...disk, ctime_ms };
}

export interface Windows {
  readonly me: AgentId;
  readonly path: string;
  readonly windows: readonly WindowFile[];
}

/** Back from window to window: each tells how the file was before it. 0: nobody else ever changed it. */
export function lastByOthers(seen: Seen, { me, path, windows }: Windows): number {
  let { ctime_ms } = seen;
  for (;;) {
    const open = windows.filter((one) => isOpenAt(one, ctime_ms) && !saw(one, seen.abs, ctime_ms));
    if (open.length === 0 || open.some(({ agent }) => agent !== me)) return ctime_ms;
    const befores = open.flatMap((one) => changedBefore(one, seen, path));
    if (befores.length === 0)
      return open.some((one) => isOpenAt(one, seen.born_ms) && isNamed(one, path)) ? 0 : ctime_ms;
    const before_ms = Math.min(...befores);
    if (before_ms >= ctime_ms) return ctime_ms;
    ctime_ms = before_ms;
  }
}

const isOpenAt = ({ since_ms, until_ms }: WindowFile, at_ms: number): boolean =>
  since_ms - COARSE_MS <= at_ms && (until_ms === null || at_ms <= until_ms);

/** A command that begins within the grain of the clock found the change there: it is not its own. */
const saw = ({ candidates }: WindowFile, abs: string, ctime_ms: number): boolean =>
  ctimeOf(candidates[abs] ?? '') >= ctime_ms;

const ctimeOf = (key: string): number => Number(key.split('.')[4] ?? 0) / 1e6;

/**
 * What the line names to write or to mark; or a file that has only got another name or mode, which its size and its time of
 * writing tell. What a line merely shows anybody may change meanwhile.
 */
function changedBefore(window: WindowFile, { abs, key }: Seen, path: string): number[] {
  const is_named = isNamed(window, path);
  return Object.entries(window.candidates)
    .filter(
      ([name, before]) => before !== '' && ((is_named && name === abs) || bodyOf(before) === bodyOf(key)),
    )
    .map(([, before]) => ctimeOf(before));
}

const isNamed = ({ targets, marked = [] }: WindowFile, path: string): boolean =>
  targets?.includes(path) === true || marked.includes(path);

/** Of `dev.ino.size.mtimeNs.ctimeNs` all but the last. */
const bodyOf = (key: string): string => key.split('.', 4).join('.');
