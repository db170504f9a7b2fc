/**
 * A request that is not answered as asked, in one envelope: `code` is the status as a number, `error` and `message` the
 * same sentence, `error_code` the stable name, `retry_after` in seconds (0: trying again alone will not help).
 */
import type { StatusCode } from 'hono/utils/http-status';
import { type ErrorCode, isGuardError } from '../core/error.ts';
import { type RefusalCode, Refused } from '../operations/refused.ts';
import { hintForHttp } from './hints.ts';
import { errnoOf } from '../repo/errno.ts';

export interface RefusalBody {
  readonly code: number;
  readonly error: string;
  readonly message: string;
  readonly error_code: string;
  readonly hint: string;
  readonly retry_after: number;
  /** The part of the request that is wrong. */
  readonly field?: string;
  readonly conflicts?: readonly object[];
}

export type RefusalDetails = Partial<Pick<RefusalBody, 'hint' | 'retry_after' | 'field' | 'conflicts'>>;

export class Refusal extends Error {
  readonly status: StatusCode;
  readonly error_code: string;
  readonly details: RefusalDetails;

  constructor(status: StatusCode, error_code: string, message: string, details: RefusalDetails = {}) {
    super(message);
    this.status = status;
    this.error_code = error_code;
    this.details = details;
  }

  body(): RefusalBody {
    const { status: code, message, error_code, details } = this;
    return { code, error: message, message, error_code, hint: '', retry_after: 0, ...details };
  }
}

/** 400: the caller's fault; 503: passes by itself or with a person's help; all others are guard's own. */
const STATUS_OF: Partial<Record<ErrorCode, StatusCode>> = {
  GUARD_ERR_USAGE: 400,
  GUARD_ERR_GLOB: 400,
  GUARD_ERR_PATH: 400,
  GUARD_ERR_INPUT: 400,
  GUARD_ERR_CURSOR: 400,
  GUARD_ERR_BUSY: 503,
  GUARD_ERR_DEADLINE: 503,
  GUARD_ERR_FULL: 503,
  GUARD_ERR_NOT_INITIALISED: 503,
};

const RETRY_AFTER_S: Partial<Record<ErrorCode, number>> = {
  GUARD_ERR_BUSY: 1,
  GUARD_ERR_DEADLINE: 1,
  GUARD_ERR_FULL: 30,
  GUARD_ERR_NOT_INITIALISED: 30,
};

const STATUS_OF_REFUSED: Readonly<Record<RefusalCode, StatusCode>> = {
  RATE_LIMITED: 429,
  BLOCKED: 403,
  NOBODY: 404,
  STILL_HELD: 409,
  NO_MESSAGE: 404,
  NAME_TAKEN: 409,
  GONE: 503,
};

/** Turns anything thrown into an answer. A foreign error's text is not passed on, because it may contain anything. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Refused) {
    const { code, message, hint, facts } = error;
    return new Refusal(STATUS_OF_REFUSED[code], code, message, {
      hint: hintForHttp(hint),
      retry_after: Number(facts['retry_after'] ?? 0),
    });
  }
  // The client disconnected in the middle of it.
  if (errnoOf(error) === 'ECONNRESET') return new Refusal(400, 'BAD_REQUEST', 'The body broke off.');
  if (!isGuardError(error))
    return new Refusal(500, 'GUARD_ERR_INTERNAL', 'guard has a bug.', {
      hint: 'For details, see the standard error of guard serve.',
    });
  const { code, message, hint, facts } = error;
  const field = typeof facts['field'] === 'string' ? { field: facts['field'] } : {};
  return new Refusal(STATUS_OF[code] ?? 500, code, message, {
    ...{ hint: hintForHttp(hint), retry_after: RETRY_AFTER_S[code] ?? 0 },
    ...field,
  });
}
