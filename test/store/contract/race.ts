/** Runs tasks of worker.ts simultaneously, each in its own process if the engine allows that. */
import { bundleText, writeBundle } from '../bundle.ts';
import { run, type Running } from '../scratch.ts';
import type { Engine } from './engine.ts';
import { type Racer, startRacer } from './racer.ts';
import { TASKS } from './worker.ts';

export type Call = readonly [task: string, ...args: string[]];

/** Runs the task of its command line, or without one the tasks that it reads from stdin. */
function program(engine: Engine): string {
  return writeBundle(
    bundleText(`
      import { writeSync } from 'node:fs';
      import { createInterface } from 'node:readline';
      import { engine } from './${engine.module}';
      import { TASKS } from './test/store/contract/worker.ts';
      const say = (line) => writeSync(1, JSON.stringify(line) + '\\n');
      let store, at;
      /** Stays open for further tasks in the same place. */
      async function openAt(place) {
        if (at === place) return store;
        await store?.close();
        [store, at] = [engine.open(place), place];
        return store;
      }
      const perform = async ([place, task, ...args], tell) => TASKS[task](await openAt(place), tell, args);
      async function serve() {
        for await (const line of createInterface({ input: process.stdin })) {
          await perform(JSON.parse(line), (line) => say({ line })).then(
            () => say({ ended: true }),
            (error) => say({ failed: String(error?.stack ?? error) }),
          );
        }
      }
      const own = process.argv.slice(2);
      void (own.length > 0 ? perform(own, say) : serve()).then(() => store?.close());
    `),
  );
}

/** In a process of its own, which may die. */
export function start(engine: Engine, place: string, [task, ...args]: Call): Running {
  return run(program(engine), [place, task, ...args]);
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

export interface Races {
  /** The lines of every call, in the order of the calls. Fails if one of them does. */
  race(place: string, calls: readonly Call[]): Promise<unknown[][]>;
  end(): void;
}

export function racesOf(engine: Engine): Races {
  const racers: Racer[] = [];
  return {
    async race(place, calls) {
      if (!engine.processes) return Promise.all(calls.map((call) => inside(engine, place, call)));
      while (racers.length < calls.length) racers.push(startRacer(program(engine)));
      return Promise.all(calls.map(async (call, at) => (await racers[at]?.run(place, call)) ?? []));
    },
    end: () => racers.forEach((racer) => racer.end()),
  };
}
