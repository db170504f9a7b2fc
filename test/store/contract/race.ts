/** Runs tasks of worker.ts simultaneously, each in its own process if the engine allows that. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleText, writeBundle } from '../bundle.ts';
import { run, type Running } from '../scratch.ts';
import type { Engine } from './engine.ts';
import { type Racer, startRacer } from './racer.ts';
import { TASKS } from './worker.ts';

export type Call = readonly [task: string, ...args: string[]];

const ENGINES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.engine.ts'))
  .map((name) => `test/store/contract/${name}`);

const KEPT_THREADS = join(import.meta.dirname, '../../claude/driver/kept-threads.mjs');

/**
 * Runs the task of its command line, or without one the tasks that it reads from stdin. In the latter case it keeps the
 * thread of a blocking engine from one place to the next: starting one takes 0.1 s of processor time, a race often less.
 */
const program = (): string =>
  writeBundle(
    bundleText(`
      import { writeSync } from 'node:fs';
      import { createInterface } from 'node:readline';
      import { TASKS } from './test/store/contract/worker.ts';
      const engines = { ${ENGINES.map((file) => `'${file}': () => import('./${file}')`).join(', ')} };
      const say = (line) => writeSync(1, JSON.stringify(line) + '\\n');
      let store, at;
      /** Stays open for further tasks in the same place. */
      async function openAt(module, place) {
        if (at === module + place) return store;
        await store?.close();
        const { engine } = await engines[module]();
        [store, at] = [engine.open(place), module + place];
        return store;
      }
      const perform = async ([module, place, task, ...args], tell) =>
        TASKS[task](await openAt(module, place), tell, args);
      async function serve(kept) {
        (await import(kept)).keepThreads();
        for await (const line of createInterface({ input: process.stdin })) {
          await perform(JSON.parse(line), (line) => say({ line })).then(
            () => say({ ended: true }),
            (error) => say({ failed: String(error?.stack ?? error) }),
          );
        }
      }
      const own = process.argv.slice(2);
      void (own.length > 0 ? perform(own, say) : serve(${JSON.stringify(KEPT_THREADS)})).then(() => store?.close());
    `),
  );

/** In a process of its own, which may die. */
export function start({ module }: Engine, place: string, [task, ...args]: Call): Running {
  return run(program(), [module, place, task, ...args]);
}

async function inside(engine: Engine, place: string, [task, ...args]: Call): Promise<unknown[]> {
  const lines: unknown[] = [];
  const store = engine.open(place);
  await TASKS[task]?.(store, (line) => void lines.push(line), args);
  await store.close();
  return lines;
}

/** The lines of one call, in a process of its own where the engine allows that. */
export async function alone(engine: Engine, place: string, call: Call): Promise<readonly unknown[]> {
  if (!engine.processes) return inside(engine, place, call);
  const { code, lines, stderr } = await start(engine, place, call).ended;
  if (code !== 0) throw new Error(`a process failed: ${stderr}`);
  return lines;
}

const racers: Racer[] = [];

/** The lines of every call, in the order of the calls. Fails if one of them does. */
export async function race(engine: Engine, place: string, calls: readonly Call[]): Promise<unknown[][]> {
  if (!engine.processes) return Promise.all(calls.map((call) => inside(engine, place, call)));
  while (racers.length < calls.length) racers.push(startRacer(program()));
  return Promise.all(
    calls.map(async (call, at) => (await racers[at]?.run([engine.module, place, ...call])) ?? []),
  );
}

/** The processes are the same for all engines, so they end with the last one. */
export const endRacers = (): void => racers.splice(0).forEach((racer) => racer.end());
