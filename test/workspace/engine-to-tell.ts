/** One machine and its shared engine, which shows and answers what it is told to. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isGuardError } from '../../src/core/error.ts';
import { pathKey } from '../../src/core/keys.ts';
import type { Json, Key, LedgerRecord, Lsn } from '../../src/core/ledger.ts';
import { lookOf } from '../../src/store/look.ts';
import type { Store } from '../../src/store/store.ts';
import { unlessRestored } from '../../src/workspace/unless-restored.ts';

export const A = pathKey('a.txt');
export const B = pathKey('b.txt');

interface Shown {
  epoch: string;
  tip: Lsn;
  /** The newest number that is visible. Absent: the one before `tip`. */
  top?: Lsn;
  versions: Readonly<Record<Key, Lsn>>;
  answer: { readonly verdict: 'done' | 'repeated'; readonly lsn: Lsn };
  log: readonly (readonly [Lsn, ...Key[]])[];
  /** Called while a commit is on its way. */
  meanwhile: () => void;
}

/** One machine's directory, and a process of it for each call of `open`. */
export function engineToTell() {
  const dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-mark-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const shown: Shown = {
    ...{ epoch: 'A', tip: 1, versions: {}, log: [], meanwhile: () => undefined },
    answer: { verdict: 'done', lsn: 1 },
  };
  const scans: (readonly [from: Lsn, page: number])[] = [];
  let refusals = 0;
  const engine = {
    look: (keys: readonly Key[]) =>
      lookOf({
        states: new Map(keys.map((key) => [key, { state: {}, version: shown.versions[key] ?? 0 }])),
        ...{ lists: [], tip: shown.tip, top: shown.top ?? shown.tip - 1 },
        now: { boot: shown.epoch, mono_ms: 0, wall_ms: 0 },
      }),
    commit: () => {
      const { answer, meanwhile } = shown;
      meanwhile();
      return answer;
    },
    *scan(from = 0, page = Infinity) {
      scans.push([from, page]);
      for (const [lsn, ...keys] of shown.log.filter(([one]) => one >= from))
        yield { lsn, s: Object.fromEntries(keys.map((key): [Key, Json] => [key, {}])) } as LedgerRecord;
    },
  } as unknown as Store;
  const open = () => {
    const store = unlessRestored(engine, { dir, onRestored: () => void (refusals += 1) });
    const outcome = <T>(use: () => T): T | string => {
      try {
        return use();
      } catch (error) {
        return isGuardError(error) ? error.code : String(error);
      }
    };
    return {
      look: (...keys: readonly Key[]) => outcome(() => store.look(keys).now.boot),
      commit: (key: Key, lsn: Lsn, verdict: 'done' | 'repeated' = 'done') => {
        shown.answer = { verdict, lsn };
        const records = [{ type: 'hold', agent: 'x', ts_ms: 0, s: { [key]: {} } }];
        return outcome(() => store.commit({ tip: shown.tip, keys: new Map(), lists: [] }, records).verdict);
      },
    };
  };
  return { dir, shown, scans, open, refusals: () => refusals };
}
