/** A route: what it takes, what it answers, and what it does in the caller's workspace. */
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import type { InputFields, InputOf } from '../operations/field.ts';
import type { RunContext } from '../operations/operation.ts';

export interface Given<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export interface ResponseSpec {
  readonly about: string;
  /** Null: no body. */
  readonly schema: z.ZodType | null;
  /** 200 where none is named. */
  readonly status?: ContentfulStatusCode | 204;
}

/** What the server itself knows. */
export interface RouteSurroundings extends RunContext {
  readonly document: object;
  readonly version: string;
}

export interface Declared<P extends InputFields, Q extends InputFields, B extends InputFields> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the document: `/api/reservations/{id}`. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  /** `acts`: in the name of one agent, which must be known. `nobody`: who asks is not looked at, nor the ledger. */
  readonly caller: 'nobody' | 'anybody' | 'acts';
  readonly params?: P;
  readonly query?: Q;
  /** Absent: takes none. */
  readonly body?: B;
  /** In the document the body has this name; without one it is spelled out where it stands. */
  readonly body_name?: string;
  /** What it answers when nothing is in the way. */
  readonly answer: ResponseSpec;
  /** When it refuses, by status, beside what every route may answer. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Every agent that the request says it is of. */
  readonly claims?: (given: Given<InputOf<P>, InputOf<Q>, InputOf<B>>) => readonly (string | undefined)[];
  /** Answers the body; where the answer has none, what it returns is not sent. */
  readonly run: (
    given: Given<InputOf<P>, InputOf<Q>, InputOf<B>>,
    space: CallerWorkspace,
    around: RouteSurroundings,
  ) => object | Promise<object>;
}

type Any = Given<never, never, never>;

/** One whose inputs are read by its own fields before it runs. */
export interface HttpRoute extends Omit<Declared<InputFields, InputFields, InputFields>, 'claims' | 'run'> {
  readonly claims: (given: Any) => readonly (string | undefined)[];
  readonly run: (given: Any, space: CallerWorkspace, around: RouteSurroundings) => object | Promise<object>;
}

/** Ties what a route takes to its fields. */
export const route = <const P extends InputFields, const Q extends InputFields, const B extends InputFields>(
  declared: Declared<P, Q, B>,
): HttpRoute => ({ claims: () => [], ...declared });
