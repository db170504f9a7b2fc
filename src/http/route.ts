/** A route: what it takes, what it answers, and what it does in the caller's workspace. */
import type { StatusCode } from 'hono/utils/http-status';
import type * as z from 'zod';
import type { CallerWorkspace } from '../workspace/workspace.ts';
import type { InputFields, InputOf } from '../operations/field.ts';
import type { RunContext } from '../operations/operation.ts';

export interface RouteAnswer {
  readonly status: StatusCode;
  readonly body?: object;
}

export interface Given<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export interface ResponseSpec {
  readonly about: string;
  /** Null: no body. */
  readonly schema: z.ZodType | null;
}

/** What the server itself knows. */
export interface RouteSurroundings extends RunContext {
  readonly document: object;
  readonly version: string;
}

/** The body of a request; in the document by this name. */
export interface Body<F extends InputFields = InputFields> {
  readonly name: string | null;
  readonly fields: F;
}

export const body = <const F extends InputFields>(name: string | null, fields: F): Body<F> => ({
  name,
  fields,
});

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
  readonly body?: Body<B>;
  readonly answers: Readonly<Record<number, ResponseSpec>>;
  /** Every agent that the request says it is of. */
  readonly claims?: (given: Given<InputOf<P>, InputOf<Q>, InputOf<B>>) => readonly (string | undefined)[];
  readonly run: (
    given: Given<InputOf<P>, InputOf<Q>, InputOf<B>>,
    space: CallerWorkspace,
    around: RouteSurroundings,
  ) => RouteAnswer | Promise<RouteAnswer>;
}

type Any = Given<never, never, never>;

/** One whose inputs are read by its own fields before it runs. */
export interface HttpRoute extends Omit<Declared<InputFields, InputFields, InputFields>, 'claims' | 'run'> {
  readonly claims: (given: Any) => readonly (string | undefined)[];
  readonly run: (
    given: Any,
    space: CallerWorkspace,
    around: RouteSurroundings,
  ) => RouteAnswer | Promise<RouteAnswer>;
}

/** Ties what a route takes to its fields. */
export const route = <const P extends InputFields, const Q extends InputFields, const B extends InputFields>(
  declared: Declared<P, Q, B>,
): HttpRoute => ({ claims: () => [], ...declared });
