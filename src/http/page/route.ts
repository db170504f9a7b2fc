/** What the page may request, as a table: an address, its parameters, an answer. All of them only look. */
import type { InputFields, InputOf } from '../../operations/field.ts';
import type { Past } from '../../history/past.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** What the routes work on. */
export interface PageAround {
  readonly space: () => Workspace;
  readonly past: Past;
  readonly look: () => Promise<object>;
  readonly forecast: () => Promise<object>;
}

export interface PageRoute {
  readonly path: `/page/${string}`;
  readonly query: InputFields;
  readonly run: (query: never, around: PageAround) => object | Promise<object>;
}

interface DeclaredPageRoute<Q extends InputFields> extends Omit<PageRoute, 'query' | 'run'> {
  readonly query: Q;
  readonly run: (query: InputOf<Q>, around: PageAround) => object | Promise<object>;
}

/** Ties a route's input to its fields. */
export const pageRoute = <const Q extends InputFields>(declared: DeclaredPageRoute<Q>): PageRoute => declared;
