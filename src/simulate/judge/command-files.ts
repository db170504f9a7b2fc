/** The files that a command line names, as the rules check them; the disk at that time is known only from transcripts. */
import { attempt } from '../../core/attempt.ts';
import { matchesGlob } from '../../core/glob/match.ts';
import { parseGlob } from '../../core/glob/parse.ts';
import type { Area, CommandFile } from '../../core/rules/command-event.ts';
import type { RepoPath } from '../../core/types.ts';
import type { Look } from '../../shell/call.ts';
import type { Effects, EffectTarget } from '../../shell/effects.ts';
import type { ToldCall } from '../transcript/happening.ts';
import { isUnshown } from '../world/disk.ts';
import type { PlaceThen } from '../world/places.ts';
import { pathStateIn, type Scene } from '../world/world.ts';

/** The files that the line writes, each with its acts. */
export interface BegunCommand {
  readonly files: readonly { readonly place: PlaceThen; readonly acts: ReadonlySet<EffectTarget['act']> }[];
  readonly is_open: boolean;
}

export function filesThen(scene: Scene, call: ToldCall, { targets }: Effects): BegunCommand['files'] {
  const { world, actor } = scene;
  const byPath = new Map<RepoPath, { place: PlaceThen; acts: Set<EffectTarget['act']> }>();
  for (const { path, act, by, is_tree, found } of targets) {
    if (is_tree === true || found === 'scanned' || isNoFile(path) || isDirectoryOnly({ act, by })) continue;
    const place = world.places.of(path, call.cwd, actor.project);
    const known = byPath.get(place.path) ?? { place, acts: new Set() };
    known.acts.add(act);
    byPath.set(place.path, known);
  }
  return [...byPath.values()].filter(({ place }) => place.is_inside || world.disk.isMentioned(place.path));
}

const isNoFile = (path: string): boolean => /^\/(?:dev|proc)\//.test(path) || isPattern(path);

/** No file named in the transcripts matches it, so the pattern was left as written. */
export const isPattern = (path: string): boolean => /[*?]/.test(path);

const isDirectoryOnly = ({ act, by }: Pick<EffectTarget, 'act' | 'by'>): boolean =>
  act === 'create' && by === 'mkdir';

export function fileOfCommand(
  { world, actor }: Scene,
  { path, abs }: PlaceThen,
  acts: ReadonlySet<EffectTarget['act']>,
): CommandFile {
  const { digest, changed_ms } = world.disk.at(path);
  const is_written = [...acts].some((act) => act !== 'attributes');
  const head = { path, abs, is_written, digest, objections: [] };
  // It is unknown whether git tracked a file that no transcript has shown.
  if (!world.disk.isMentioned(path) || isUnshown(digest)) return { ...head, known: null };
  const disk = { state: digest === null ? 'missing' : 'file', digest, ctime_ms: changed_ms } as const;
  const baseline = world.knowledge.of(path, actor.who.id);
  const seen_touched = pathStateIn(world, path).touched;
  return { ...head, known: { disk, baseline, seen_touched } };
}

interface Meant {
  readonly path: string;
  readonly by: string;
  readonly source: string;
  readonly is_glob?: true;
}

export function areaThen(
  { world, actor }: Scene,
  call: ToldCall,
  { path: given, by, source, is_glob }: Meant,
): Area {
  const { path, abs } = world.places.of(given, call.cwd, actor.project);
  const glob = is_glob === true ? attempt(() => parseGlob(path), null) : null;
  const isBelow = (one: RepoPath): boolean => path === '.' || one === path || one.startsWith(`${path}/`);
  const covers = (one: RepoPath): boolean => (glob === null ? isBelow(one) : matchesGlob(glob, one));
  return { abs, by, source, covers, glob: null, members: [] };
}

/** The disk as the command line parser sees it, from the transcripts. */
export function lookAtThen({ world, actor }: Scene): Look {
  const fileAt = (path: string) => world.places.of(path, '/', actor.project).path;
  return {
    kind: (path) => {
      const at = fileAt(path);
      if (world.disk.isMentioned(at) && world.disk.at(at).digest !== null) return 'file';
      return world.tree.isDirectory(path) ? 'directory' : null;
    },
    list: world.tree.namesIn,
    text: (file, max_bytes) => {
      const at = fileAt(file);
      const { digest } = world.disk.isMentioned(at) ? world.disk.at(at) : { digest: null };
      const text = digest === null ? undefined : world.texts.get(digest);
      return text === undefined || text.length > max_bytes ? null : text;
    },
  };
}
