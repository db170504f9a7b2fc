/** A scenario's store, put back as it was prepared before each fault: preparing it anew takes as long as the fault and its check. */
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { makeDirInMemory, removeDir } from '../store/scratch.ts';
import type { Engines } from './check.ts';
import { openStore, type Scenario } from './scenarios.ts';

export interface Prepared {
  readonly dir: string;
  /** The records that the scenario prepared. */
  readonly before: readonly LedgerRecord[];
}

export interface Preparing {
  /** The scenario's store as it is prepared, whatever befell the one that was returned before. */
  readonly fresh: () => Prepared;
  readonly remove: () => void;
}

interface Made extends Prepared {
  readonly files: ReadonlyMap<string, Kept>;
}

interface Kept {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly identity: string;
}

/** A store knows its place by the inodes of these. If one was replaced, the store has to be prepared anew. */
const IS_KNOWN = /^(?:lock$|ledger-)/;

export function preparing(engines: Engines, scenario: Scenario): Preparing {
  let made: Made | undefined;
  const remove = (): void => {
    if (made !== undefined) removeDir(made.dir);
    made = undefined;
  };
  return {
    fresh() {
      if (made !== undefined && putBack(made)) return made;
      remove();
      return (made = makeStore(engines, scenario));
    },
    remove,
  };
}

function makeStore(engines: Engines, scenario: Scenario): Made {
  const dir = makeDirInMemory();
  try {
    scenario.prepare(engines.engine, dir);
    return { dir, before: recordsIn(engines, dir), files: contentsOf(dir) };
  } catch (error) {
    removeDir(dir);
    throw error;
  }
}

export function recordsIn({ judge }: Engines, dir: string): LedgerRecord[] {
  return [...openStore(judge, dir).scanSync()];
}

const contentsOf = (dir: string): ReadonlyMap<string, Kept> =>
  new Map(
    readdirSync(dir).map((name) => {
      const file = `${dir}/${name}`;
      const bytes = readFileSync(file);
      return [name, { bytes, mode: statSync(file).mode, identity: identityOf(file) }];
    }),
  );

/** Inodes are reused within moments. */
function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.birthtimeMs}`;
}

/** False if that is impossible. */
function putBack({ dir, files }: Made): boolean {
  for (const [name, { identity }] of files)
    if (IS_KNOWN.test(name) && identityOf(`${dir}/${name}`) !== identity) return false;
  for (const name of readdirSync(dir)) if (!files.has(name)) rmSync(`${dir}/${name}`, { recursive: true });
  for (const [name, { bytes, mode }] of files) {
    writeFileSync(`${dir}/${name}`, bytes);
    chmodSync(`${dir}/${name}`, mode);
  }
  return true;
}
