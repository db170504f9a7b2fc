/** Before a write: checked by the rules of PreToolUse, with the file as it was at that time. */
import type { Denial } from '../../core/denial.ts';
import { asList } from '../../core/json-object.ts';
import type { WriteBeginEvent, WriteTarget } from '../../core/rules/write-event.ts';
import type { RepoPath } from '../../core/types.ts';
import { ownPaths } from '../../claude/tools.ts';
import { becameOf } from '../tally/denials.ts';
import type { ToldCall } from '../transcript/happening.ts';
import type { PlaceThen } from '../world/places.ts';
import { factsAt, pathStateIn, revealAt, type Scene } from '../world/world.ts';
import { isClientsOwn, textBefore } from './told-text.ts';

/** The files of a call, each with its content when the call began. */
export interface BegunWrite {
  readonly began_ms: number;
  readonly files: readonly {
    readonly place: PlaceThen;
    readonly digest: string | null;
    /** What its agent knew. */
    readonly known: WriteTarget['baseline'];
    /** When it last saw all of it, and when a part; 0: never. */
    readonly knew_ms: number;
    readonly saw_part_ms: number;
  }[];
  readonly denied: boolean;
}

export type BegunFile = BegunWrite['files'][number];

/** Null if no hook would have been asked, or if the call names no file. */
export function simulateWrite(scene: Scene, call: ToldCall): BegunWrite | null {
  const { world, actor, at_ms } = scene;
  if (isClientsOwn(call)) {
    world.counts.refused_by_client++;
    return null;
  }
  const places = ownPaths({ tool: call.tool, tool_input: call.input }).map((given) =>
    world.places.of(given, call.cwd, actor.project),
  );
  if (places.length === 0) return null;
  world.counts.writes++;
  for (const { path, abs } of places) {
    world.tree.note(abs);
    showWhatWas(scene, path, call);
  }
  const files = places.map((place) => {
    const known = world.knowledge.of(place.path, actor.who.id);
    return {
      place,
      digest: world.disk.at(place.path).digest,
      known,
      knew_ms: known?.at_ms ?? 0,
      saw_part_ms: known?.part_ms ?? 0,
    };
  });
  return { began_ms: at_ms, files, denied: isDenied(scene, call, places) };
}

/** If no transcript has shown the content, it is the one that the write replaces. */
function showWhatWas({ world }: Scene, path: RepoPath, call: ToldCall): void {
  const before = textBefore(call);
  if (before !== undefined && !world.disk.at(path).is_known) revealAt(world, path, before);
}

function isDenied(scene: Scene, call: ToldCall, places: readonly PlaceThen[]): boolean {
  const denial = judge(scene, call, places);
  if (denial === null) return false;
  noteDenial(scene, call, denial);
  if (!isOnlyUnlocked(denial)) return true;
  // Assumes that an agent that is told to lock does so; one that ignores this is not worth simulating.
  lockAsTold(scene, places);
  const again = judge(scene, call, places);
  if (again !== null) noteDenial(scene, call, again);
  return again !== null;
}

const isOnlyUnlocked = ({ error_type, details }: Denial): boolean =>
  error_type === 'NOT_LOCKED' && asList(details['also']).length === 0;

function lockAsTold(scene: Scene, places: readonly PlaceThen[]): void {
  const { world, actor } = scene;
  world.counts.locks_as_told++;
  const paths = places.map(({ path }) => path);
  const how = { mode: 'exclusive', ttl_ms: null, all: true, wait_until_mono_ms: null } as const;
  world.ledger.run({ type: 'lock.acquire', who: actor.who, paths, ...how }, factsAt(scene));
}

function judge(scene: Scene, call: ToldCall, places: readonly PlaceThen[]): Denial | null {
  const { world, actor } = scene;
  const event: WriteBeginEvent & { readonly type: 'write.begin' } = {
    type: 'write.begin',
    who: actor.who,
    op: call.id,
    tool: call.tool,
    targets: places.map((place) => targetOf(scene, place)),
    home: null,
  };
  const is_inside = places.every((place) => place.is_inside);
  const verdict = world.ledger.run(event, factsAt(scene, is_inside));
  return verdict.verdict === 'denied' ? verdict.denial : null;
}

function targetOf({ world, actor }: Scene, { path, abs }: PlaceThen): WriteTarget {
  const { digest, changed_ms } = world.disk.at(path);
  return {
    path,
    abs,
    disk: { state: digest === null ? 'missing' : 'file', digest, ctime_ms: changed_ms },
    form: null,
    baseline: world.knowledge.of(path, actor.who.id),
    seen_touched: pathStateIn(world, path).touched,
    objections: [],
  };
}

export function noteDenial({ world, actor, at_ms }: Scene, call: ToldCall, denial: Denial): void {
  const abs = denial.details['path'];
  const { path } = world.places.of(typeof abs === 'string' ? abs : call.cwd, call.cwd, actor.project);
  const { who } = actor;
  world.denials.note({ at_ms, agent: who.id, tool: call.tool, path, denial, outcome: becameOf(call) });
  world.contention.noteDenied(path);
}
