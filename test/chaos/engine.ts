/** The engine as one patchable file, as a hook runs it, with a mutation if a test plants a bug. */
import { bundleText, loadBundle, writeBundle } from '../store/bundle.ts';
import type { adoptCopy } from '../../src/store/embedded/adopt.ts';
import type { openEmbedded } from '../store/plain.ts';
import type { compactIsDue, compactLedger } from '../../src/store/embedded/compact.ts';
import type { repairLedger } from '../../src/store/embedded/repair.ts';
import type { verifyLedger } from '../../src/store/embedded/verify.ts';

export interface EngineUnderTest {
  readonly openEmbedded: typeof openEmbedded;
  readonly verifyLedger: typeof verifyLedger;
  readonly repairLedger: typeof repairLedger;
  readonly compactLedger: typeof compactLedger;
  readonly compactIsDue: typeof compactIsDue;
  readonly adoptCopy: typeof adoptCopy;
}

/** A planted bug: `from` must occur exactly once in the bundled source. */
export interface Mutation {
  readonly from: string | RegExp;
  readonly to: string;
}

const ENTRY = `
  export { openEmbedded } from './test/store/plain.ts';
  export { verifyLedger } from './src/store/embedded/verify.ts';
  export { repairLedger } from './src/store/embedded/repair.ts';
  export { compactLedger, compactIsDue } from './src/store/embedded/compact.ts';
  export { adoptCopy } from './src/store/embedded/adopt.ts';
`;

export function mutate(source: string, { from, to }: Mutation): string {
  const found =
    typeof from === 'string'
      ? source.split(from).length - 1
      : [...source.matchAll(new RegExp(from, 'g'))].length;
  if (found !== 1) throw new Error(`the mutation's place occurs ${found} times: ${String(from)}`);
  return typeof from === 'string' ? source.split(from).join(to) : source.replace(from, to);
}

let bundled: string | undefined;

export function engineFile(mutation?: Mutation): string {
  const source = (bundled ??= bundleText(ENTRY));
  return writeBundle(mutation === undefined ? source : mutate(source, mutation));
}

export function loadEngine(mutation?: Mutation): EngineUnderTest {
  return loadBundle(engineFile(mutation)) as EngineUnderTest;
}
