/** A route: what it takes, what it answers, and what it does at the caller's desk. */
import type { StatusCode } from 'hono/utils/http-status';
import * as z from 'zod';
import type { Desk } from '../coordination/desk.ts';

export interface Answer {
  readonly status: StatusCode;
  readonly body?: object;
}

export interface Given<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

export interface Answered {
  readonly about: string;
  /** Null: no body. */
  readonly schema: z.ZodType | null;
}

/** What the server itself knows. */
export interface Surroundings {
  readonly document: object;
  readonly version: string;
  /** For whoever waits: aborted when the client goes, or the server ends. */
  readonly ending: () => AbortSignal;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the document: `/api/reservations/{id}`. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  /** `acts`: in the name of one agent, which must be known. `nobody`: who asks is not looked at, nor the ledger. */
  readonly caller: 'nobody' | 'anybody' | 'acts';
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Null: takes none. */
  readonly body: z.ZodObject | null;
  readonly answers: Readonly<Record<number, Answered>>;
  /** Every agent that the request says it is of. */
  readonly claims: (given: Given<unknown, unknown, unknown>) => readonly (string | undefined)[];
  readonly run: (
    given: Given<unknown, unknown, unknown>,
    desk: Desk,
    around: Surroundings,
  ) => Answer | Promise<Answer>;
}

type Shape = z.ZodRawShape;

interface Declared<P extends Shape, Q extends Shape, B extends z.ZodObject> {
  readonly method: Route['method'];
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly caller: Route['caller'];
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answers: Route['answers'];
  readonly claims?: (given: Given<Out<P>, Out<Q>, z.output<B>>) => readonly (string | undefined)[];
  readonly run: (
    given: Given<Out<P>, Out<Q>, z.output<B>>,
    desk: Desk,
    around: Surroundings,
  ) => Answer | Promise<Answer>;
}

type Out<S extends Shape> = z.output<z.ZodObject<S>>;

/** Ties what a route takes to its shapes. */
export function route<const P extends Shape, const Q extends Shape, B extends z.ZodObject>(
  declared: Declared<P, Q, B>,
): Route {
  const { params, query, body, claims, run, ...rest } = declared;
  type Exact = Given<Out<P>, Out<Q>, z.output<B>>;
  return {
    ...rest,
    params: z.object(params ?? {}),
    query: z.object(query ?? {}),
    body: body ?? null,
    claims: (given) => claims?.(given as Exact) ?? [],
    run: (given, desk, around) => run(given as Exact, desk, around),
  };
}
