import { faultsFor, type Trial, tryPoint } from '../points.ts';
import { preparing } from '../prepared.ts';
import { SCENARIOS } from '../scenarios.ts';
import type { Detector } from './tools.ts';

/** Every death and one error at every operation of one scenario. */
export const faultsIn =
  (name: string): Detector =>
  ({ engine, judge }) => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (scenario === undefined) return [`no scenario ${name}`];
    const engines = { engine, judge };
    const store = preparing(engines, scenario);
    try {
      return firstWrong({ engines, scenario, ...store });
    } finally {
      store.remove();
    }
  };

function firstWrong(trial: Trial): string[] {
  const { calls, wrong } = tryPoint(trial, 0, { kind: 'short' });
  if (wrong.length > 0) return [...wrong];
  for (const [at, call] of calls.entries()) {
    for (const fault of faultsFor(call, at)) {
      const point = tryPoint(trial, at + 1, fault);
      if (point.wrong.length > 0)
        return [`${call.operation} ${JSON.stringify(fault)}: ${point.wrong.join('; ')}`];
    }
  }
  return [];
}
