/** Maps the effects of a command line to the files they concern, each with the ledger that keeps it. */
import fs from 'node:fs';
import { dirname } from 'node:path';
import type { Area, GitFile } from '../../core/rules/command-event.ts';
import { protectedPath } from '../../core/messages.ts';
import type { Objection } from '../../core/denial.ts';
import { shownAt } from '../../core/shown.ts';
import type { Effects, EffectTarget as Effect } from '../../shell/effects.ts';
import type { Target } from '../../repo/canonical.ts';
import { isLocated, locate, type Located } from '../events/targets.ts';
import type { HookSpace, Hook } from '../context.ts';
import { refusals } from '../why-refused.ts';
import { areaOf, areaOfFiles, protectedBelow } from './areas.ts';
import type { Forecast } from './git.ts';
import type { Touched } from './touched.ts';
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

/** Beyond this number, files are only compared with what others hold. */
const FILES_MAX = 200;

/** Special files, which are not guarded whatever their names. */
const isNoFile = (path: string): boolean => /^\/(?:dev\/(?!shm\/)|proc\/)/.test(path);

interface Named extends Located {
  readonly effect: Effect;
  readonly acts: ReadonlySet<Effect['act']>;
  readonly refused: string | null;
}

export function askedOf(hook: Hook, effects: Effects, forecast: Forecast): ReadonlyMap<HookSpace, Asked> {
  const asked = new Map<HookSpace, Asked>();
  const add = (space: HookSpace, more: Partial<Asked>): void => {
    const so_far = asked.get(space) ?? NOTHING_ASKED;
    asked.set(space, {
      files: [...so_far.files, ...(more.files ?? [])],
      areas: [...so_far.areas, ...(more.areas ?? [])],
      git: [...so_far.git, ...(more.git ?? [])],
      resources: [...so_far.resources, ...(more.resources ?? [])],
      objections: [...so_far.objections, ...(more.objections ?? [])],
    });
  };
  const named = nameAll(hook, effects.targets);
  const files = named.filter(({ effect, target }) => effect.is_tree !== true && target.kind !== 'directory');
  for (const one of named.filter(({ effect }) => effect.is_tree === true)) add(one.space, treeOf(hook, one));
  for (const one of named.filter(isMerelyDirectory)) add(one.space, directoryOf(one));
  if (files.length <= FILES_MAX) for (const [space, found] of foundIn(files)) add(space, { files: found });
  else {
    for (const [space, area] of areaOfFiles(files)) add(space, { areas: [area] });
    for (const one of files) add(one.space, directoryOf(one));
  }
  for (const scope of effects.scopes)
    for (const path of scope.paths)
      for (const one of locate(hook, [baseOf(path, scope.is_glob === true)]).filter(isLocated))
        if (one.space.repo.initialised)
          add(one.space, { areas: [areaOf(one, scope, scope.is_glob === true ? path : null)] });
  for (const touched of forecast.touched)
    for (const located of locate(hook, [touched.abs]).filter(isLocated)) {
      const objection = takesHooks(hook, located.space, located.target, touched);
      if (objection !== null) add(located.space, { objections: [objection] });
      if (located.space.repo.initialised) add(located.space, touchedIn(located, touched));
    }
  if (forecast.resources.length > 0 && hook.home.repo.initialised)
    add(hook.home, { resources: forecast.resources });
  if (forecast.objections.length > 0) add(hook.home, { objections: forecast.objections });
  return asked;
}

export const NOTHING_ASKED: Asked = { files: [], areas: [], git: [], resources: [], objections: [] };

/** The part before the first wildcard. */
function baseOf(path: string, is_glob: boolean): string {
  if (!is_glob) return path;
  const at = path.search(/[*?[{]/);
  return at === -1 ? path : dirname(`${path.slice(0, at)}x`);
}

/** Each file once, with everything that the line does to it. */
function nameAll(hook: Hook, effects: readonly Effect[]): readonly Named[] {
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
  const whyRefused = refusals(hook);
  return [...byPath.values()].flatMap(({ effect, acts }) =>
    locate(hook, [effect.path])
      .filter(isLocated)
      .filter(({ target }) => target.kind !== 'special')
      .map((located) => ({ ...located, effect, acts, refused: whyRefused(located.target) })),
  );
}

const isMerelyDirectory = ({ effect, target, acts }: Named): boolean =>
  effect.is_tree !== true && target.kind === 'directory' && [...acts].some((act) => act !== 'create');

function directoryOf({ target, space, refused }: Named): Partial<Asked> {
  return refused === null
    ? {}
    : { objections: [protectedPath(shownAt(target.abs, target.path, space.facts()), refused)] };
}

function treeOf(hook: Hook, { target, space, effect, acts, refused }: Named): Partial<Asked> {
  const goes = acts.has('remove') || acts.has('move');
  const reason = refused ?? (goes ? protectedBelow(hook, { target, space }) : null);
  const at = shownAt(target.abs, target.path, space.facts());
  return {
    ...(reason === null ? {} : { objections: [protectedPath(at, reason)] }),
    areas: space.repo.initialised ? [areaOf({ target, space }, effect, null)] : [],
  };
}

const CHANGES: readonly Effect['act'][] = ['write', 'append', 'edit', 'remove', 'move'];

function foundIn(files: readonly Named[]): ReadonlyMap<HookSpace, readonly TargetFile[]> {
  const concerned = files.filter((one) => one.refused !== null || concerns(one));
  const judged = concerned.filter(({ target, acts }) => {
    const isChanged = CHANGES.some((act) => acts.has(act));
    return target.kind === 'file' && isChanged && !isLink(target.abs, acts);
  });
  const tracked = trackedOf(judged.map(({ target }) => target));
  const found = new Map<HookSpace, TargetFile[]>();
  for (const { target, space, effect, acts, refused } of concerned) {
    const is_tracked = tracked.has(target);
    if (refused === null && (isLink(target.abs, acts) || (!is_tracked && !space.repo.initialised))) continue;
    const is_scanned = effect.found === 'scanned';
    const is_written =
      !is_scanned && [...acts].some((act) => act !== 'attributes') && !isLink(target.abs, acts);
    const one = { file: target, is_written, is_tracked, is_scanned, refused };
    found.set(space, [...(found.get(space) ?? []), one]);
  }
  return found;
}

/** An existing file cannot be created; a missing one cannot be removed or changed. */
function concerns({ target, acts }: Named): boolean {
  if (target.kind === 'file') return [...acts].some((act) => act !== 'create');
  return acts.has('write') || acts.has('append') || acts.has('create');
}

/** Removing or renaming affects the link itself, not the file to which it points. */
function isLink(abs: string, acts: ReadonlySet<Effect['act']>): boolean {
  if (![...acts].every((act) => act === 'remove' || act === 'move')) return false;
  return fs.lstatSync(abs, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

const touchedIn = (located: Located, { is_tree, ...touched }: Touched): Partial<Asked> => ({
  git: [{ ...touched, path: located.target.path }],
  areas: is_tree === true ? [areaOf(located, { by: 'git', source: touched.source }, null)] : [],
});
