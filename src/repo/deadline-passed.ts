// lazy: loaded at the first call of one of its functions, and exports nothing else.
import { GuardError } from '../core/error.ts';

export const deadlinePassed = (spent_ms: number, limit_ms: number): GuardError =>
  new GuardError(
    'GUARD_ERR_DEADLINE',
    `guard stopped after ${spent_ms} ms; its limit is ${limit_ms} ms.`,
    'Try again; if it happens often, run `guard doctor`, and raise "deadline" in the guard configuration.',
    { limit_ms, spent_ms },
  );
