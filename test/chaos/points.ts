/** One fault at one file operation of a scenario, and what it leaves. */
import { isGuardError } from '../../src/core/error.ts';
import { BOOT } from '../store/scratch.ts';
import { checkStore, type Engines } from './check.ts';
import { type Call, Died, type Fault, withFault } from './faults.ts';
import type { Preparing } from './prepared.ts';
import type { Scenario } from './scenarios.ts';

/** Tries every code at every operation, instead of one of them in turn. */
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

export interface Point {
  readonly acknowledged: boolean;
  readonly hit: boolean;
  readonly calls: readonly Call[];
  readonly wrong: readonly string[];
}

/** A scenario, the engines that it is tried with, and its store. */
export interface Trial extends Preparing {
  readonly engines: Engines;
  readonly scenario: Scenario;
}

/** One fault at one operation of the scenario. */
export function tryPoint({ engines, scenario, fresh }: Trial, at: number, fault: Fault): Point {
  const { engine } = engines;
  const boot = scenario.boot ?? BOOT;
  try {
    const { dir, before } = fresh();
    const { error, died, hit, calls } = withFault(() => scenario.act(engine, dir, boot), { at, fault });
    const acknowledged = error === undefined && !died;
    const wrong: string[] = [];
    const known =
      error === undefined || error instanceof Died || (isGuardError(error) && ALLOWED.includes(error.code));
    if (!known) wrong.push(`failed as ${error instanceof Error ? error.message : 'nothing known'}`);
    const undone = isGuardError(error) && error.facts['outcome'] === 'not committed';
    const victims = scenario.name.includes('three') ? 3 : scenario.commits;
    wrong.push(
      ...checkStore(engines, dir, {
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
  }
}

export function faultsFor(call: Call, at: number): Fault[] {
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
