import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGuardError } from '../../src/core/error.ts';
import type { LedgerRecord } from '../../src/core/ledger.ts';
import { BOOT, makeDir, removeDir } from '../store/scratch.ts';
import { checkStore } from './check.ts';
import { loadEngine } from './engine.ts';
import { Died, OPERATIONS, withFault } from './faults.ts';
import type { Call, Fault } from './faults.ts';
import { seeded } from './random.ts';
import { openStore, SCENARIOS, write } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';

/** Every code at every operation, not one of them in turn. */
const FULL = process.env['GUARD_CHAOS_FULL'] !== undefined;
const CODES = ['EIO', 'ENOSPC', 'EDQUOT', 'EACCES', 'EROFS', 'EINTR', 'EMFILE'];
const ALLOWED = [
  'GUARD_ERR_IO',
  'GUARD_ERR_FULL',
  'GUARD_ERR_CORRUPT',
  'GUARD_ERR_BUSY',
  'GUARD_ERR_STATE_DIR',
  'GUARD_ERR_NOT_INITIALISED',
];

const engine = loadEngine();

interface Point {
  readonly acknowledged: boolean;
  readonly hit: boolean;
  readonly calls: readonly Call[];
  readonly wrong: readonly string[];
}

function recordsIn(dir: string): LedgerRecord[] {
  return [...openStore(engine, dir).scanSync()];
}

/** One fault at one operation of the scenario, in a store of its own. */
function tryPoint(scenario: Scenario, at: number, fault: Fault): Point {
  const dir = makeDir();
  const boot = scenario.boot ?? BOOT;
  try {
    scenario.prepare(engine, dir);
    const before = recordsIn(dir);
    const { error, died, hit, calls } = withFault(() => scenario.act(engine, dir, boot), { at, fault });
    const acknowledged = error === undefined && !died;
    const wrong: string[] = [];
    const known =
      error === undefined || error instanceof Died || (isGuardError(error) && ALLOWED.includes(error.code));
    if (!known) wrong.push(`failed as ${error instanceof Error ? error.message : 'nothing known'}`);
    const undone = isGuardError(error) && error.facts['outcome'] === 'not committed';
    const victims = scenario.name.includes('three') ? 3 : scenario.commits;
    wrong.push(
      ...checkStore(engine, dir, {
        boot,
        before,
        acknowledged: acknowledged && scenario.commits > 0,
        victims: undone ? 0 : victims,
        rewrites: scenario.rewrites === true,
      }),
    );
    return { acknowledged, hit, calls, wrong };
  } catch (error) {
    return {
      acknowledged: false,
      hit: true,
      calls: [],
      wrong: [
        `the next process failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ],
    };
  } finally {
    removeDir(dir);
  }
}

function faultsFor(call: Call, at: number): Fault[] {
  const codes = FULL ? CODES : [CODES[at % CODES.length] ?? 'EIO'];
  const stickiness = FULL ? [false, true] : [at % 2 === 1];
  const faults: Fault[] = codes.flatMap((code) =>
    stickiness.map((sticky) => ({ kind: 'error', code, sticky }) as const),
  );
  faults.push({ kind: 'die', when: 'before' }, { kind: 'die', when: 'after' });
  if (call.operation === 'writeSync') faults.push({ kind: 'short' });
  if (call.operation === 'writeSync' || call.operation === 'copyFileSync') faults.push({ kind: 'tear' });
  return faults;
}

describe('a store after a fault', () => {
  test.each(SCENARIOS)('loses, doubles and tears nothing: $name', (scenario) => {
    const { calls, acknowledged, wrong } = tryPoint(scenario, 0, { kind: 'short' });
    expect({ acknowledged, wrong }).toEqual({ acknowledged: true, wrong: [] });
    const failures: string[] = [];
    let points = 0;
    for (const [index, call] of calls.entries()) {
      for (const fault of faultsFor(call, index)) {
        const point = tryPoint(scenario, index + 1, fault);
        points++;
        if (point.wrong.length > 0)
          failures.push(`${index + 1} ${call.operation} ${JSON.stringify(fault)}: ${point.wrong.join('; ')}`);
      }
    }
    expect(points).toBeGreaterThan(50);
    expect(failures).toEqual([]);
  });
});

/** Pairs of deaths: the second one hits the process that cleans up after the first. */
const PAIRS = Number(process.env['GUARD_CHAOS_PAIRS'] ?? 150);

describe('a store after two deaths in a row', () => {
  test('loses, doubles and tears nothing', () => {
    const failures: string[] = [];
    const random = seeded(7);
    for (let pair = 0; pair < PAIRS; pair++) {
      const scenario = SCENARIOS[random(SCENARIOS.length)];
      if (scenario === undefined || scenario.commits === 0) continue;
      const wrong = tryPair(scenario, 1 + random(50), 1 + random(40), random(2) === 0 ? 'tear' : 'die');
      if (wrong.length > 0) failures.push(`${scenario.name}, pair ${pair}: ${wrong.join('; ')}`);
    }
    expect(failures).toEqual([]);
  });
});

function tryPair(scenario: Scenario, first: number, second: number, kind: 'tear' | 'die'): string[] {
  const dir = makeDir();
  const boot = scenario.boot ?? BOOT;
  const fault: Fault = kind === 'die' ? { kind, when: 'before' } : { kind };
  try {
    scenario.prepare(engine, dir);
    const before = recordsIn(dir);
    withFault(() => scenario.act(engine, dir, boot), { at: first, fault });
    const cleaner = withFault(
      () => write(engine, dir, 'cleaner', { states: { 'path:cleaner': 'c' } }, boot),
      {
        at: second,
        fault,
      },
    );
    const wrong = checkStore(engine, dir, {
      boot,
      before,
      acknowledged: false,
      victims: scenario.name.includes('three') ? 3 : 1,
      rewrites: false,
    });
    const cleaned = recordsIn(dir).filter((record) => record['mark'] === 'cleaner').length;
    if (!cleaner.died && cleaned !== 1) wrong.push('the second commit is lost');
    return wrong;
  } catch (error) {
    return [`the next process failed: ${error instanceof Error ? error.message : 'unknown'}`];
  } finally {
    removeDir(dir);
  }
}

describe('the fault shim', () => {
  test('knows every file operation that the engine uses', () => {
    const root = join(import.meta.dirname, '../../src/store');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const used = files.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/import \{([^}]*)\} from 'node:fs'/g)].flatMap(
        ([, names = '']) => names.split(',').map((one) => one.trim()),
      ),
    );
    const missing = used.filter(
      (one) => one.endsWith('Sync') && !(OPERATIONS as readonly string[]).includes(one),
    );
    expect(missing).toEqual([]);
  });
});
