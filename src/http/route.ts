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
  /** `null` if there is no body. */
  readonly schema: z.ZodType | null;
  /** 200 if absent. */
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
  /** `acts`: on behalf of one agent, which must be known. `nobody`: neither the caller nor the ledger is looked at. */
  readonly caller: 'nobody' | 'anybody' | 'acts';
  readonly params?: P;
  readonly query?: Q;
  /** Absent if it takes none. */
  readonly body?: B;
  /** The name of the body in the document; without one it is written out in place. */
  readonly body_name?: string;
  /** The answer if nothing prevents it. */
  readonly answer: ResponseSpec;
  /** Refusals by status, in addition to what every route may answer. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Every agent that the request claims to act for. */
  readonly claims?: (given: Given<InputOf<P>, InputOf<Q>, InputOf<B>>) => readonly (string | undefined)[];
  /** Returns the body; if the answer has none, the result is not sent. */
  readonly run: (
    given: Given<InputOf<P>, InputOf<Q>, InputOf<B>>,
    space: CallerWorkspace,
    around: RouteSurroundings,
  ) => object | Promise<object>;
}

type Any = Given<never, never, never>;

/** A route whose input is read by its own fields before it runs. */
export interface HttpRoute extends Omit<Declared<InputFields, InputFields, InputFields>, 'claims' | 'run'> {
  readonly claims: (given: Any) => readonly (string | undefined)[];
  readonly run: (given: Any, space: CallerWorkspace, around: RouteSurroundings) => object | Promise<object>;
}

/** Ties a route's input to its fields. */
export const route = <const P extends InputFields, const Q extends InputFields, const B extends InputFields>(
  declared: Declared<P, Q, B>,
): HttpRoute => ({ claims: () => [], ...declared });
