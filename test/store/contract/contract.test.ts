import { readdirSync } from 'node:fs';
import { contract } from './contract.ts';
import type { Engine } from './engine.ts';

const engines = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.engine.ts'));

for (const name of engines) {
  const { engine } = (await import(/* @vite-ignore */ `./${name}`)) as { readonly engine: Engine };
  contract(engine);
}
