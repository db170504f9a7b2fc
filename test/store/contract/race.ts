/** Runs tasks of worker.ts simultaneously, each in its own process if the engine allows that. */
import { bundleText, writeBundle } from '../bundle.ts';
import { type Ended, run, type Running } from '../scratch.ts';
import type { Engine } from './engine.ts';
import { TASKS } from './worker.ts';

export type Call = readonly [task: string, ...args: string[]];

function program(engine: Engine): string {
  return writeBundle(
    bundleText(`
      import { writeSync } from 'node:fs';
      import { engine } from './${engine.module}';
      import { TASKS } from './test/store/contract/worker.ts';
      const [place, task, ...args] = process.argv.slice(2);
      const store = engine.open(place);
      const say = (line) => writeSync(1, JSON.stringify(line) + '\\n');
      TASKS[task](store, say, args).then(() => store.close());
    `),
  );
}

export function start(engine: Engine, place: string, [task, ...args]: Call): Running {
  return run(program(engine), [place, task, ...args]);
}

async function inside(engine: Engine, place: string, [task, ...args]: Call): Promise<Ended> {
  const lines: unknown[] = [];
  const store = engine.open(place);
  await TASKS[task]?.(store, (line) => void lines.push(line), args);
  await store.close();
  return { code: 0, signal: null, lines, stderr: '' };
}

/** The lines of every call, in the order of the calls. Fails if one of them does. */
export async function race(engine: Engine, place: string, calls: readonly Call[]): Promise<unknown[][]> {
  const ends = await Promise.all(
    calls.map((call) => (engine.processes ? start(engine, place, call).ended : inside(engine, place, call))),
  );
  const failed = ends.find(({ code }) => code !== 0);
  if (failed !== undefined) throw new Error(`a racing process failed: ${failed.stderr}`);
  return ends.map(({ lines }) => [...lines]);
}
