/** Everything a simulation knows at one moment: states of the ledger, files, what each agent knows about them, and the counts. */
import { pathKey } from '../../core/keys.ts';
import type { Baseline } from '../../core/rules/baseline.ts';
import { asPathState } from '../../core/states.ts';
import type { Facts, PathState, Policy, RepoPath } from '../../core/types.ts';
import { openContention, type Contention } from '../tally/contention.ts';
import { openDenials, type Denials } from '../tally/denials.ts';
import { type HookCalls, openHookCalls } from '../tally/hook-calls.ts';
import { type Losses, openLosses } from '../tally/losses.ts';
import { openOverlaps, type Overlaps } from '../tally/overlaps.ts';
import type { Happening } from '../transcript/happening.ts';
import { type Actor, type Actors, openActors } from './actors.ts';
import { type DiskThen, openDisk } from './disk.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { type LedgerThen, openLedgerThen } from './ledger.ts';
import type { Places } from './places.ts';
import { openTexts, type Texts } from './texts.ts';
import { openTree, type TreeThen } from './tree.ts';

interface Counts {
  prompts: number;
  reads: number;
  writes: number;
  commands: number;
  /** Refused by the client itself, before any hook. */
  refused_by_client: number;
  /** Writes without a verdict, because a command of the agent itself may have produced the content that was there. */
  unjudged_writes: number;
  /** Command lines that write, but do not show what. */
  unjudged_commands: { git: number; unreadable: number };
  /** Locks that agents would have taken because their denial says so. */
  locks_as_told: number;
}

export interface SimulatedWorld {
  readonly policy: Policy;
  readonly places: Places;
  readonly home: string;
  readonly ledger: LedgerThen;
  readonly texts: Texts;
  readonly disk: DiskThen;
  readonly tree: TreeThen;
  readonly knowledge: Knowledge;
  readonly actors: Actors;
  readonly denials: Denials;
  readonly losses: Losses;
  readonly contention: Contention;
  readonly overlaps: Overlaps;
  readonly hooks: HookCalls;
  readonly counts: Counts;
}

export interface WorldStart {
  readonly policy: Policy;
  readonly places: Places;
  readonly home: string;
}

export function openWorld(start: WorldStart): SimulatedWorld {
  const [ledger, texts] = [openLedgerThen(), openTexts()];
  return {
    ...start,
    ledger,
    texts,
    disk: openDisk(texts),
    tree: openTree(),
    knowledge: openKnowledge(),
    actors: openActors(ledger),
    denials: openDenials(),
    losses: openLosses(texts),
    contention: openContention(),
    overlaps: openOverlaps(),
    hooks: openHookCalls(),
    counts: {
      ...{ prompts: 0, reads: 0, writes: 0, commands: 0, refused_by_client: 0, unjudged_writes: 0 },
      ...{ unjudged_commands: { git: 0, unreadable: 0 }, locks_as_told: 0 },
    },
  };
}

/** One event and the agent that caused it. */
export interface Scene {
  readonly world: SimulatedWorld;
  readonly actor: Actor;
  readonly at_ms: number;
}

export const sceneOf = (world: SimulatedWorld, happening: Happening): Scene => ({
  world,
  actor: world.actors.of(happening),
  at_ms: happening.at_ms,
});

/** The transcripts' time serves as both clocks, in one boot. Outside a session's working area there are no locks. */
export const factsAt = ({ world, at_ms }: Scene, is_inside = true): Facts => ({
  now: { wall_ms: at_ms, mono_ms: at_ms, boot: 'simulated' },
  policy: is_inside ? world.policy : { ...world.policy, enforcement: 'off' },
  machine: 'simulated',
  // No transcript shows when a client ended, so a silent agent loses its locks only by time.
  isDead: () => false,
  guard_command: 'guard',
  spelled: world.places.spelled,
});

export const pathStateIn = ({ ledger }: SimulatedWorld, path: RepoPath): PathState =>
  asPathState(ledger.get(pathKey(path)));

export const turnIn = ({ world, actor }: Scene): number => world.actors.state(actor)?.turn ?? 1;

/** @param is_part only part of it was shown, whatever the rules conclude from that */
export function learnAt(scene: Scene, path: RepoPath, known: Baseline, is_part = false): void {
  const { world, actor, at_ms } = scene;
  const whole_ms = is_part ? (world.knowledge.of(path, actor.who.id)?.at_ms ?? 0) : at_ms;
  const when = is_part ? { at_ms: whole_ms, part_ms: at_ms } : { at_ms };
  world.knowledge.set(path, actor.who.id, { ...known, ...when });
}

/** The existing content is shown only now: the agents that knew it still know it under its digest. */
export function revealAt({ disk, knowledge }: SimulatedWorld, path: RepoPath, text: string | null): void {
  const before = disk.reveal(path, text);
  const { digest } = disk.at(path);
  if (before !== null && before !== digest) knowledge.rename(path, before, digest);
}
