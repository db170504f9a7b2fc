import { readdirSync } from 'node:fs';
import { afterAll } from 'vitest';
import { keepThreads } from '../../claude/driver/kept-threads.mjs';
import { contract } from './contract.ts';
import type { Engine } from './engine.ts';
import { endRacers } from './race.ts';

// Starting one for each test took a sixth of the processor time.
afterAll(keepThreads());
afterAll(endRacers);

const engines = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.engine.ts'));

for (const name of engines) {
  const { engine } = (await import(/* @vite-ignore */ `./${name}`)) as { readonly engine: Engine };
  contract(engine);
}
