/** Bugs to plant in looking without the lock, and in committing what was prepared that way. */
import type { Mutant } from './mutants.ts';

export const LOOK_MUTANTS: readonly Mutant[] = [
  {
    name: 'the lock is freed before a prepared commit',
    by: 'lost additions',
    from: 'got.isRenewed = true;',
    to: 'got.isRenewed = true; got.held.free(); got.held = { ...got.held, free() {} };',
  },
  {
    name: 'a prepared commit does not look whether the ledger went on',
    by: 'lost additions',
    from: 'if (now === header) return;',
    to: 'return;',
  },
  {
    name: 'a ledger that others write to is believed',
    by: 'torn looks',
    from: 'if (isSmall) ledger.pages.preload();',
    to: 'ledger.mustStand = void 0;',
  },
  {
    name: 'the end of the ledger is not compared with what was looked at',
    by: 'torn looks',
    from: 'if (base + size !== applied || !isSame(',
    to: 'if (!isSame(',
  },
  {
    name: 'a record is dated before the one that is there',
    by: 'times that go back',
    from: 'ts_ms: Math.max(given.ts_ms, after_ms)',
    to: 'ts_ms: given.ts_ms',
  },
];
