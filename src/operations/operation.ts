/**
 * An operation: its input, and what it does. Command line, MCP and HTTP parse their input into it and show its answer;
 * they decide nothing else.
 */
import type { DraftState } from '../core/drafts.ts';
import { isGuardError } from '../core/error.ts';
import type { Drafted } from '../harness/draft.ts';
import type { WaitSignals } from '../locks/wait.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import type { InputFields, InputOf } from './field.ts';
import { type HowRead, readInput, type ReadInput } from './read-input.ts';
import { Refused } from './refused.ts';

/** Used only by some operations: those that wait, and those that explain how to release. */
export interface RunContext extends WaitSignals {
  /** Called about once a second. */
  readonly onProgress?: (draft: DraftState) => void;
  /** How long the caller can wait for an answer; absent: without limit. */
  readonly patience_ms?: number;
  readonly onDrafted?: (drafted: Drafted) => void;
}

export interface Operation<F extends InputFields, R extends object, At = CallerWorkspace> {
  /** The name of the MCP tool, if there is one. */
  readonly name: string;
  readonly fields: F;
  /** @throws GuardError, Refused */
  readonly run: (input: InputOf<F>, at: At, around: RunContext) => R | Promise<R>;
}

/** Infers the input of `run` from the fields. */
export const operation = <const F extends InputFields, R extends object, At = CallerWorkspace>(
  name: string,
  fields: F,
  run: (input: InputOf<F>, at: At, around: RunContext) => R | Promise<R>,
): Operation<F, R, At> => ({ name, fields, run });

/** Adds notes for the caller to an answer. An answer that is a list has no place for them. */
export function withNotes<R extends object>(answer: R, notes: readonly string[]): R {
  if (notes.length === 0 || Array.isArray(answer)) return answer;
  const before = (answer as { readonly notes?: readonly string[] }).notes ?? [];
  return { ...answer, notes: [...before, ...notes] };
}

export const readFor = <F extends InputFields, R extends object, At>(
  { fields }: Operation<F, R, At>,
  given: Readonly<Record<string, unknown>>,
  how?: HowRead,
): ReadInput<F> => readInput(fields, given, how);

export interface ErrorEnvelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly facts: Readonly<Record<string, unknown>>;
  };
}

/** The error envelope for a call that failed or was refused; `null` for a bug. */
export function failureOf(error: unknown): ErrorEnvelope | null {
  if (!isGuardError(error) && !(error instanceof Refused)) return null;
  const { code, message, hint, facts } = error;
  return { error: { code, message, hint, facts } };
}
