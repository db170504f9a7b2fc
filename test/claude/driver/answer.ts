/** A hook's answer, read the way the client reads it. */
import { expect } from 'vitest';
import { plain } from '../../../src/core/plain.ts';
import type { Finished } from './process.ts';

export interface Denial {
  readonly error_type: string;
  readonly message: string;
  readonly details: {
    readonly path: string;
    readonly next: readonly string[];
    readonly also?: readonly string[];
    readonly targets?: readonly { readonly path: string; readonly error_types: readonly string[] }[];
    readonly [fact: string]: unknown;
  };
  readonly recovery_hint: string;
}

export interface Answer extends Finished {
  /** Null if the call may proceed. */
  readonly denial: Denial | null;
  readonly context: string;
  readonly updated: Readonly<Record<string, unknown>> | null;
}

interface Output {
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
    readonly updatedInput?: Readonly<Record<string, unknown>>;
  };
}

export function answerOf(finished: Finished): Answer {
  const output = finished.stdout === '' ? {} : (JSON.parse(finished.stdout) as Output);
  const said = output.hookSpecificOutput;
  const reason = said?.permissionDecisionReason;
  return {
    ...finished,
    denial:
      said?.permissionDecision === 'deny' && reason !== undefined ? (JSON.parse(reason) as Denial) : null,
    context: said?.additionalContext ?? '',
    updated: said?.updatedInput ?? null,
  };
}

/** SC-004: exit code 2, exactly one JSON object on stdout, its full reason on stderr, all fields of the envelope. */
export function expectEnvelope(answer: Answer): Denial {
  expect(answer.exit).toBe(2);
  expect(answer.stdout).toMatch(/^[^\n]+\n$/);
  const { denial } = answer;
  if (denial === null) throw new Error('no denial');
  const reason = JSON.stringify(denial);
  const flat = { permissionDecision: 'deny', permissionDecisionReason: reason };
  expect(JSON.parse(answer.stdout)).toEqual({
    decision: 'block',
    reason,
    ...flat,
    hookSpecificOutput: { hookEventName: 'PreToolUse', ...flat },
  });
  expect(answer.stderr).toBe(`${plain(reason)}\n`);
  expect(Object.keys(denial)).toEqual(['error_type', 'message', 'details', 'recovery_hint']);
  expect([typeof denial.error_type, typeof denial.message, typeof denial.recovery_hint]).toEqual([
    'string',
    'string',
    'string',
  ]);
  expect(typeof denial.details.path).toBe('string');
  expect(denial.details.next.length).toBeGreaterThan(0);
  return denial;
}

/** The error_type and the other objections, in order. */
export const wrongs = ({ denial }: Answer): readonly string[] =>
  denial === null ? [] : [denial.error_type, ...(denial.details.also ?? [])];
