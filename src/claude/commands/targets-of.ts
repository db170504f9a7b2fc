/** From what a command line would do to the files that it would do it to, each with the ledger that keeps it. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import type { Area, GitFile } from '../../core/rules/command-event.ts';
import { protectedPath } from '../../core/messages.ts';
import type { Objection } from '../../core/denial.ts';
import { shownAt } from '../../core/shown.ts';
import type { Effects, EffectTarget as Effect } from '../../shell/effects.ts';
import type { Target } from '../../repo/canonical.ts';
import { newLooks } from '../../repo/locate.ts';
import { isLocated, locate } from '../events/targets.ts';
import type { Located } from '../events/targets.ts';
import type { Place, Scene } from '../scene.ts';
import { refusals } from '../why-refused.ts';
import { areaOf, areaOfFiles, protectedBelow } from './areas.ts';
import type { Forecast } from './git.ts';
import { takesHooks } from './loose-hooks.ts';
import { trackedOf } from './tracked.ts';

/** What one ledger is asked about. */
export interface Asked {
  readonly files: readonly TargetFile[];
  readonly areas: readonly Area[];
  readonly git: readonly GitFile[];
  readonly resources: readonly string[];
  readonly objections: readonly Objection[];
}

/** One file that the line names, before its content is looked at. */
export interface TargetFile {
  readonly file: Target;
  readonly is_written: boolean;
  readonly is_tracked: boolean;
  /** A literal in code that may not run. */
  readonly is_scanned: boolean;
  readonly refused: string | null;
}

/** More files than these are compared with what others hold, and nothing more is asked of them. */
const FILES_MAX = 200;

/** No files, whatever their names. */
const isNoFile = (path: string): boolean => path.startsWith('/dev/') || path.startsWith('/proc/');

interface Named extends Located {
  readonly effect: Effect;
  readonly acts: ReadonlySet<Effect['act']>;
  readonly refused: string | null;
}

export function askedOf(scene: Scene, effects: Effects, forecast: Forecast): ReadonlyMap<Place, Asked> {
  const asked = new Map<Place, Asked>();
  const add = (place: Place, more: Partial<Asked>): void => {
    const so_far = asked.get(place) ?? NOTHING_ASKED;
    asked.set(place, {
      files: [...so_far.files, ...(more.files ?? [])],
      areas: [...so_far.areas, ...(more.areas ?? [])],
      git: [...so_far.git, ...(more.git ?? [])],
      resources: [...so_far.resources, ...(more.resources ?? [])],
      objections: [...so_far.objections, ...(more.objections ?? [])],
    });
  };
  const named = nameAll(scene, effects.targets);
  const files = named.filter(({ effect, target }) => effect.is_tree !== true && target.kind !== 'directory');
  for (const one of named.filter(({ effect }) => effect.is_tree === true)) add(one.place, treeOf(scene, one));
  for (const one of named.filter(isMerelyDirectory)) add(one.place, directoryOf(one));
  if (files.length <= FILES_MAX) for (const [place, found] of foundIn(files)) add(place, { files: found });
  else {
    for (const [place, area] of areaOfFiles(files)) add(place, { areas: [area] });
    for (const one of files) add(one.place, directoryOf(one));
  }
  for (const scope of effects.scopes)
    for (const path of scope.paths)
      for (const { target, place } of locate(scene, [baseOf(path, scope.is_glob === true)]).filter(isLocated))
        if (place.repo.initialised)
          add(place, { areas: [areaOf({ target, place }, scope, scope.is_glob === true ? path : null)] });
  for (const [place, git] of gitIn(scene, forecast)) add(place, { git });
  for (const touched of forecast.touched)
    for (const { target, place } of locate(scene, [touched.abs]).filter(isLocated)) {
      const objection = takesHooks(scene, place, target, touched);
      if (objection !== null) add(place, { objections: [objection] });
    }
  for (const { abs, source } of forecast.touched.filter(({ is_tree }) => is_tree))
    for (const located of locate(scene, [abs]).filter(isLocated))
      if (located.place.repo.initialised)
        add(located.place, { areas: [areaOf(located, { by: 'git', source }, null)] });
  if (forecast.resources.length > 0 && scene.home.repo.initialised)
    add(scene.home, { resources: forecast.resources });
  if (forecast.objections.length > 0) add(scene.home, { objections: forecast.objections });
  return asked;
}

export const NOTHING_ASKED: Asked = { files: [], areas: [], git: [], resources: [], objections: [] };

/** What stands before the first wildcard. */
function baseOf(path: string, is_glob: boolean): string {
  if (!is_glob) return path;
  const at = path.search(/[*?[{]/);
  return at === -1 ? path : dirname(`${path.slice(0, at)}x`);
}

/** Each file once, with everything that the line does to it. */
function nameAll(scene: Scene, effects: readonly Effect[]): readonly Named[] {
  const byPath = new Map<string, { effect: Effect; acts: Set<Effect['act']> }>();
  for (const effect of effects.filter(({ path }) => !isNoFile(path))) {
    const known = byPath.get(effect.path);
    if (known === undefined) byPath.set(effect.path, { effect, acts: new Set([effect.act]) });
    else {
      known.acts.add(effect.act);
      if (effect.is_tree === true || (known.effect.found === 'scanned' && effect.found !== 'scanned'))
        known.effect = { ...effect, ...(known.effect.is_tree === true ? { is_tree: true as const } : {}) };
    }
  }
  const looks = newLooks();
  const whyRefused = refusals(scene);
  return [...byPath.values()].flatMap(({ effect, acts }) =>
    locate(scene, [effect.path], looks)
      .filter(isLocated)
      .filter(({ target }) => target.kind !== 'special')
      .map((located) => ({ ...located, effect, acts, refused: whyRefused(located.target) })),
  );
}

const isMerelyDirectory = ({ effect, target, acts }: Named): boolean =>
  effect.is_tree !== true && target.kind === 'directory' && [...acts].some((act) => act !== 'create');

function directoryOf({ target, place, refused }: Named): Partial<Asked> {
  return refused === null
    ? {}
    : { objections: [protectedPath(shownAt(target.abs, target.path, place.facts), refused)] };
}

function treeOf(scene: Scene, { target, place, effect, acts, refused }: Named): Partial<Asked> {
  const goes = acts.has('remove') || acts.has('move');
  const reason = refused ?? (goes ? protectedBelow(scene, { target, place }) : null);
  const at = shownAt(target.abs, target.path, place.facts);
  return {
    ...(reason === null ? {} : { objections: [protectedPath(at, reason)] }),
    areas: place.repo.initialised ? [areaOf({ target, place }, effect, null)] : [],
  };
}

const CHANGES: readonly Effect['act'][] = ['write', 'append', 'edit', 'remove', 'move'];

function foundIn(files: readonly Named[]): ReadonlyMap<Place, readonly TargetFile[]> {
  const concerned = files.filter((one) => one.refused !== null || concerns(one));
  const judged = concerned.filter(({ target, acts }) => {
    const isChanged = CHANGES.some((act) => acts.has(act));
    return target.kind === 'file' && isChanged && !isLink(target.abs, acts);
  });
  const tracked = trackedOf(judged.map(({ target }) => target));
  const found = new Map<Place, TargetFile[]>();
  for (const { target, place, effect, acts, refused } of concerned) {
    const is_tracked = tracked.has(target);
    if (refused === null && (isLink(target.abs, acts) || (!is_tracked && !place.repo.initialised))) continue;
    const is_scanned = effect.found === 'scanned';
    const is_written =
      !is_scanned && [...acts].some((act) => act !== 'attributes') && !isLink(target.abs, acts);
    found.set(place, [
      ...(found.get(place) ?? []),
      { file: target, is_written, is_tracked, is_scanned, refused },
    ]);
  }
  return found;
}

/** A file that is there is not created, one that is not there cannot be removed or changed. */
function concerns({ target, acts }: Named): boolean {
  const does = [...acts];
  if (target.kind === 'file') return does.some((act) => act !== 'create');
  return does.some((act) => act === 'write' || act === 'append' || act === 'create');
}

/** What is removed or renamed is the link, not the file that it leads to. */
function isLink(abs: string, acts: ReadonlySet<Effect['act']>): boolean {
  if (![...acts].every((act) => act === 'remove' || act === 'move')) return false;
  return fs.lstatSync(abs, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function gitIn(scene: Scene, { touched }: Forecast): ReadonlyMap<Place, readonly GitFile[]> {
  const found = new Map<Place, GitFile[]>();
  for (const { abs, on_disk, loses, narrower, source } of touched)
    for (const { target, place } of locate(scene, [abs]).filter(isLocated))
      if (place.repo.initialised)
        found.set(place, [
          ...(found.get(place) ?? []),
          { path: target.path, abs, on_disk, loses, narrower, source },
        ]);
  return found;
}
