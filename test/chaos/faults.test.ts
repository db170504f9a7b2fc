import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { BOOT } from '../store/scratch.ts';
import { checkStore } from './check.ts';
import { loadEngine } from './engine.ts';
import { type Fault, OPERATIONS, withFault } from './faults.ts';
import { faultsFor, type Trial, tryPoint } from './points.ts';
import { preparing, recordsIn } from './prepared.ts';
import { seeded } from './random.ts';
import { SCENARIOS, write } from './scenarios.ts';

const engine = loadEngine();
const report = (line: string): void => {
  if (process.env['GUARD_CHAOS_REPORT'] !== undefined) process.stdout.write(`${line}\n`);
};
const engines = { engine, judge: engine };
const trials: readonly (Trial & { readonly name: string })[] = SCENARIOS.map((scenario) => ({
  ...{ engines, scenario, name: scenario.name },
  ...preparing(engines, scenario),
}));
afterAll(() => trials.forEach((trial) => trial.remove()));

describe('a store after a fault', () => {
  test.each(trials)('loses, doubles and tears nothing: $name', (trial) => {
    const { scenario } = trial;
    const { calls, acknowledged, wrong } = tryPoint(trial, 0, { kind: 'short' });
    expect({ acknowledged, wrong }).toEqual({ acknowledged: true, wrong: [] });
    if (scenario.uses !== undefined) expect(calls.map(({ operation }) => operation)).toContain(scenario.uses);
    const failures: string[] = [];
    let points = 0;
    for (const [index, call] of calls.entries()) {
      for (const fault of faultsFor(call, index)) {
        const point = tryPoint(trial, index + 1, fault);
        points++;
        if (point.wrong.length > 0)
          failures.push(`${index + 1} ${call.operation} ${JSON.stringify(fault)}: ${point.wrong.join('; ')}`);
      }
    }
    expect(points).toBeGreaterThan(50);
    expect(failures).toEqual([]);
    report(`${scenario.name}: ${points} fault points`);
  });
});

/** Pairs of deaths: the second one hits the process that cleans up after the first. */
const PAIRS = Number(process.env['GUARD_CHAOS_PAIRS'] ?? 150);

describe('a store after two deaths in a row', () => {
  test('loses, doubles and tears nothing', () => {
    const failures: string[] = [];
    const random = seeded(7);
    for (let pair = 0; pair < PAIRS; pair++) {
      const trial = trials[random(trials.length)];
      if (trial === undefined || trial.scenario.commits === 0) continue;
      const wrong = tryPair(trial, 1 + random(50), 1 + random(40), random(2) === 0 ? 'tear' : 'die');
      if (wrong.length > 0) failures.push(`${trial.scenario.name}, pair ${pair}: ${wrong.join('; ')}`);
    }
    expect(failures).toEqual([]);
  });
});

function tryPair({ scenario, fresh }: Trial, first: number, second: number, kind: 'tear' | 'die'): string[] {
  const boot = scenario.boot ?? BOOT;
  const fault: Fault = kind === 'die' ? { kind, when: 'before' } : { kind };
  try {
    const { dir, before } = fresh();
    withFault(() => scenario.act(engine, dir, boot), { at: first, fault });
    const cleaner = withFault(
      () => write(engine, dir, 'cleaner', { states: { 'path:cleaner': 'c' } }, boot),
      {
        at: second,
        fault,
      },
    );
    const wrong = checkStore(engines, dir, {
      boot,
      before,
      acknowledged: false,
      victims: scenario.name.includes('three') ? 3 : 1,
      rewrites: false,
    });
    const cleaned = recordsIn(engines, dir).filter((record) => record['mark'] === 'cleaner').length;
    if (!cleaner.died && cleaned !== 1) wrong.push('the second commit is lost');
    return wrong;
  } catch (error) {
    return [`the next process failed: ${error instanceof Error ? error.message : 'unknown'}`];
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
