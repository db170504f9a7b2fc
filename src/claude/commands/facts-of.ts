/** The content of a file that a command line names, as far as its check needs it. */
import fs from 'node:fs';
import type { CommandFile } from '../../core/rules/command-event.ts';
import { protectedPath } from '../../core/messages.ts';
import { pathKey } from '../../core/keys.ts';
import { shownAt } from '../../core/shown.ts';
import { asPathState } from '../../core/states.ts';
import type { Digest } from '../../core/types.ts';
import type { Target } from '../../repo/canonical.ts';
import { digestFile } from '../../repo/digest.ts';
import { missed } from '../events/gone.ts';
import type { HookSpace, Hook } from '../context.ts';
import { sinceOwnDoing } from './own-doing.ts';
import type { TargetFile } from './targets-of.ts';

/** Untracked files may be of any size, and no one needs to know what was in them. */
const SMALL_BYTES = 1 << 20;

/**
 * The facts that the ledger checks. Code that may not run is compared only with what its agent has seen: a file that has
 * changed since must be read again, but one that it never saw is no reason to refuse a script.
 */
export function commandFacts(
  hook: Hook,
  space: HookSpace,
  { file, is_written, is_tracked, is_scanned, refused }: TargetFile,
): CommandFile {
  const at = shownAt(file.abs, file.path, space.facts());
  const objections = refused === null ? [] : [protectedPath(at, refused)];
  const named = { path: file.path, abs: file.abs, is_written, objections };
  if (!is_tracked) return { ...named, known: null, digest: is_written ? smallDigest(hook, file) : null };
  const baseline = space.baselines.read(file.path);
  if (is_scanned && baseline === null) return { ...named, known: null, digest: null };
  const key = pathKey(file.path);
  const seen_touched = asPathState(space.cache.get([key])(key)).touched;
  const disk = digestFile(file.real, { deadline: hook.deadline });
  const found = baseline === null ? sinceOwnDoing(hook, space, file, disk) : disk;
  const gone = disk.state === 'missing' && baseline?.digest ? missed(hook, space, file, baseline) : found;
  return { ...named, known: { disk: gone, baseline, seen_touched }, digest: disk.digest };
}

function smallDigest({ deadline }: Hook, file: Target): Digest | null {
  if (file.kind !== 'file') return null;
  const size = fs.statSync(file.real, { throwIfNoEntry: false })?.size ?? 0;
  return size > SMALL_BYTES ? null : digestFile(file.real, { deadline }).digest;
}
