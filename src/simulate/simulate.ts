/** `guard simulate`: checks the sessions that the client recorded by the rules of the hooks, as if these had been installed. */
import { READER_NAMES, WRITER_NAMES } from '../claude/tools.ts';
import { simulateCommandEnd } from './judge/command-end.ts';
import type { BegunCommand } from './judge/command-files.ts';
import { simulateCommand } from './judge/command.ts';
import { simulateRead } from './judge/read.ts';
import { simulatePresence, simulatePrompt, simulateRest } from './judge/turns.ts';
import { type BegunWrite, simulateWrite } from './judge/write-begin.ts';
import { simulateWritten } from './judge/write-end.ts';
import type { Happening, ToldCall } from './transcript/happening.ts';
import { merged, type TranscriptReading } from './transcript/merge.ts';
import { openWorld, type Scene, sceneOf, type SimulatedWorld, type WorldStart } from './world/world.ts';

export interface Simulated {
  readonly world: SimulatedWorld;
  readonly from_ms: number | null;
  readonly to_ms: number | null;
}

export interface Simulation extends WorldStart, TranscriptReading {
  /** Earlier moments are skipped. */
  readonly since_ms: number;
}

const WRITERS = new Set(WRITER_NAMES);
const READERS = new Set(READER_NAMES);
const SHELLS = new Set(['Bash', 'PowerShell']);

/** Calls that have begun and not ended. */
interface Open {
  readonly writes: Map<string, BegunWrite | null>;
  readonly commands: Map<string, BegunCommand>;
}

export function simulate(simulation: Simulation): Simulated {
  const world = openWorld(simulation);
  const open: Open = { writes: new Map(), commands: new Map() };
  const isRepeated = repeatsIn(world);
  let span: Pick<Simulated, 'from_ms' | 'to_ms'> = { from_ms: null, to_ms: null };
  for (const happening of merged(simulation)) {
    if (happening.at_ms < simulation.since_ms || isRepeated(happening)) continue;
    const { at_ms } = happening;
    span = { from_ms: span.from_ms ?? at_ms, to_ms: at_ms };
    take(sceneOf(world, happening), happening, open);
  }
  return { world, ...span };
}

/**
 * A forked session contains the history of its original, so the same events occur again. They are recognised by numbers of 48 bits,
 * for which two of a million events collide in one of 560 such sets.
 */
function repeatsIn(world: SimulatedWorld): (happening: Happening) => boolean {
  const seen = new Set<number>();
  return (happening) => {
    if (happening.uuid === '') return false;
    const call = 'call' in happening ? happening.call.id : '';
    const name = numberOf(`${happening.uuid} ${happening.type} ${call}`);
    if (!seen.has(name)) {
      seen.add(name);
      return false;
    }
    world.actors.noteFork(happening.by.session);
    return true;
  };
}

/** Evenly distributed for any text: two FNV-1a hashes of 32 and 16 bits with different initial values. */
function numberOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x811c9dc5) ^ (high >>> 15);
  }
  return (low >>> 0) + (high & 0xffff) * 2 ** 32;
}

function take(scene: Scene, happening: Happening, open: Open): void {
  const { world } = scene;
  world.overlaps.note(happening.by.session, happening.at_ms);
  simulatePresence(scene, happening.type === 'begin' || happening.type === 'end');
  if (happening.type === 'prompt') simulatePrompt(scene);
  else if (happening.type === 'rest') simulateRest(scene);
  else if (happening.type === 'batch') world.hooks.note('PostToolBatch');
  else if (happening.type === 'begin') begin(scene, happening.call, open);
  else end(scene, happening.call, open);
}

function begin(scene: Scene, call: ToldCall, open: Open): void {
  scene.world.hooks.note('PreToolUse', call.tool);
  if (WRITERS.has(call.tool)) open.writes.set(call.id, simulateWrite(scene, call));
  else if (SHELLS.has(call.tool)) open.commands.set(call.id, simulateCommand(scene, call));
}

function end(scene: Scene, call: ToldCall, open: Open): void {
  scene.world.hooks.note(call.result?.is_error === true ? 'PostToolUseFailure' : 'PostToolUse', call.tool);
  if (READERS.has(call.tool)) simulateRead(scene, call);
  const write = open.writes.get(call.id);
  if (write) simulateWritten(scene, call, write);
  const command = open.commands.get(call.id);
  if (command) simulateCommandEnd(scene, call, command);
  open.writes.delete(call.id);
  open.commands.delete(call.id);
}
