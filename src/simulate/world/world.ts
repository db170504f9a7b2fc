/** All that a simulation knows at one moment: the states of the ledger, the files, who knows what of them, and what was counted. */
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
  /** Whose verdict no transcript allows: what was there may have come from a command of the agent itself. */
  unjudged_writes: number;
  /** Command lines that write where the line alone does not say what. */
  unjudged_commands: { git: number; unreadable: number };
  /** Locks that agents would have taken as their denial tells them. */
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

/** One happening with who did it. */
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

/** The clock of the transcripts counts as both clocks, and as one boot. Outside of where a session works there are no locks. */
export const factsAt = ({ world, at_ms }: Scene, is_inside = true): Facts => ({
  now: { wall_ms: at_ms, mono_ms: at_ms, boot: 'simulated' },
  policy: is_inside ? world.policy : { ...world.policy, enforcement: 'off' },
  machine: 'simulated',
  // No transcript tells when a client ended: whoever falls silent loses its locks by the time alone.
  isDead: () => false,
  guard_command: 'guard',
  spelled: world.places.spelled,
});

export const pathStateIn = ({ ledger }: SimulatedWorld, path: RepoPath): PathState =>
  asPathState(ledger.get(pathKey(path)));

export const turnIn = ({ world, actor }: Scene): number => world.actors.state(actor)?.turn ?? 1;

/** @param is_part it was shown only some of it, whatever the rules make of that */
export function learnAt(scene: Scene, path: RepoPath, known: Baseline, is_part = false): void {
  const { world, actor, at_ms } = scene;
  const whole_ms = is_part ? (world.knowledge.of(path, actor.who.id)?.at_ms ?? 0) : at_ms;
  const when = is_part ? { at_ms: whole_ms, part_ms: at_ms } : { at_ms };
  world.knowledge.set(path, actor.who.id, { ...known, ...when });
}

/** What was there is shown only now: under its new name the same agents know it. */
export function revealAt({ disk, knowledge }: SimulatedWorld, path: RepoPath, text: string | null): void {
  const before = disk.reveal(path, text);
  const { digest } = disk.at(path);
  if (before !== null && before !== digest) knowledge.rename(path, before, digest);
}
