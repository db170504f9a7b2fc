/** The price of a token, as clients here reported it, for later estimates. A cache: without it the first estimate is coarser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../core/attempt.ts';
import { parsedObject } from '../core/json-object.ts';
import { replaceWhole } from '../repo/replace-whole.ts';
import { isAmount } from './fields.ts';
import type { Prices } from './spending.ts';

const fileIn = (state_dir: string): string => join(state_dir, 'prices.json');

export function readPrices(state_dir: string): Prices {
  const known = parsedObject(attempt(() => readFileSync(fileIn(state_dir), 'utf8'), null));
  return Object.fromEntries(Object.entries(known).filter(([, usd]) => isAmount(usd))) as Prices;
}

export function keepPrices(state_dir: string, prices: Prices): void {
  const before = readPrices(state_dir);
  const all = { ...before, ...prices };
  if (Object.keys(all).every((model) => before[model] === all[model])) return;
  attempt(() => replaceWhole(fileIn(state_dir), `${JSON.stringify(all)}\n`), undefined);
}
