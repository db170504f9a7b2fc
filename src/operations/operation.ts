/**
 * An operation: what it takes, and what it does. Command line, MCP and HTTP read what they were given into it and show its
 * answer; none of them decides anything else.
 */
import type { DraftState } from '../core/drafts.ts';
import { isGuardError } from '../core/error.ts';
import type { Drafted } from '../harness/draft.ts';
import type { WaitSignals } from '../locks/wait.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import type { InputFields, InputOf } from './field.ts';
import { type HowRead, readInput, type ReadInput } from './read-input.ts';
import { Refused } from './refused.ts';

/** What only some of them use: those that wait, and those that tell how to let go. */
export interface RunContext extends WaitSignals {
  /** Called about once a second. */
  readonly onProgress?: (draft: DraftState) => void;
  /** How long the caller can wait for an answer; absent: for as long as it takes. */
  readonly patience_ms?: number;
  readonly onDrafted?: (drafted: Drafted) => void;
}

export interface Operation<F extends InputFields, R extends object, At = CallerWorkspace> {
  /** As the MCP tool is called, where there is one. */
  readonly name: string;
  readonly fields: F;
  /** @throws GuardError, Refused */
  readonly run: (input: InputOf<F>, at: At, around: RunContext) => R | Promise<R>;
}

/** Ties `run` to the fields. */
export const operation = <const F extends InputFields, R extends object, At = CallerWorkspace>(
  name: string,
  fields: F,
  run: (input: InputOf<F>, at: At, around: RunContext) => R | Promise<R>,
): Operation<F, R, At> => ({ name, fields, run });

/** An answer with what its caller should know besides. A list has no room for it. */
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

/** What a program is told of a call that failed or was refused; null: a bug. */
export function failureOf(error: unknown): ErrorEnvelope | null {
  if (!isGuardError(error) && !(error instanceof Refused)) return null;
  const { code, message, hint, facts } = error;
  return { error: { code, message, hint, facts } };
}
