/** Steps that are answered by what a machine has cached, while the engine is away. */
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GuardError, isGuardError } from '../../src/core/error.ts';
import { AGENTS, agentKey, pathKey, PATHS } from '../../src/core/keys.ts';
import type { BootMoment } from '../../src/repo/boot-clock.ts';
import type { Sight, Store } from '../../src/store/store.ts';
import { consult } from '../../src/store/transact.ts';
import { cachedLedger } from '../../src/workspace/cached-ledger.ts';
import { openKept } from '../../src/workspace/kept-leases.ts';
import { openMemory } from '../store/memory.ts';

const A = pathKey('a.txt');
const X = agentKey('x');
const MOMENT: BootMoment = { boot_ms: 1_000, mono_ms: 1_000, wall_ms: 1_000 };

/** A ledger of which two keys are cached, and how often its engine was asked since. */
function scene() {
  const dir = fs.mkdtempSync(join(os.tmpdir(), 'guard-cached-'));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  const memory = openMemory({ now: () => ({ mono_ms: 1, wall_ms: 1, boot: 'e' }), shared: true });
  const place = { shared_as: 'r', machine: 'm', machine_boot: 'b', clone: 'c', key: Buffer.alloc(32, 1) };
  const kept = openKept({ ...place, dir }, () => MOMENT);
  kept.learn(memory.look([A, X]), MOMENT);
  const asked: string[][] = [];
  const look: Store['look'] = (keys, indexes = []) => {
    asked.push([...keys, ...indexes.map(({ below }) => below)]);
    throw new GuardError('GUARD_ERR_ENGINE_AWAY', 'x', 'y', {});
  };
  const engine = { ...memory, still: undefined, look } as unknown as Store;
  const store = cachedLedger(engine, kept, { may_begin: false, facts: () => null });
  const see = <T>(step: (view: Sight) => T): T | string => {
    try {
      return consult(store, step);
    } catch (error) {
      return isGuardError(error) ? error.code : String(error);
    }
  };
  return { see, asked };
}

/** As rules find the paths that may be held: since the oldest agent alive joined. */
const heldIn = (view: Sight): number =>
  view.range(PATHS, Math.min(Infinity, ...view.range(AGENTS).map(() => 1))).length;

test('a step that needs a list of agents and paths is told that the engine is away, not that guard is broken', () => {
  const { see, asked } = scene();
  expect(see((view) => [view.get(A), heldIn(view)])).toBe('GUARD_ERR_ENGINE_AWAY');
  // A list's stand-in is not a key of the ledger.
  expect(asked).toEqual([[A, AGENTS, PATHS]]);
});

test('a step that asks for such lists only until it knows the states is answered, as often as it is run', () => {
  const { see } = scene();
  // `tip` is 0 on an empty look; one more key turns up once the first is known.
  const step = (view: Sight) => {
    view.get(A);
    if (view.tip === 0) return heldIn(view);
    return view.get(X) === undefined ? 'known' : 'other';
  };
  for (let nth = 0; nth < 3; nth++) expect(see(step)).toBe('known');
});
