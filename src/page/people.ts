/** An agent's name and color, the same everywhere on the page and at every moment. */
import { uniqueNames, withId } from '../core/names.ts';
import type { NeedsView } from '../core/needs/need.ts';
import { plain } from '../core/plain.ts';

export interface People extends Pick<NeedsView, 'nameOf' | 'fullNameOf'> {
  /** `a0` to `a11`: a class of the style sheet. */
  readonly colorOf: (id: string) => string;
  /** In order of appearance. */
  readonly inOrder: (ids: Iterable<string>) => readonly string[];
}

interface Named {
  /** In order of appearance, also those that have left. */
  readonly everybody: readonly string[];
  readonly chosen: Readonly<Record<string, string>>;
  /** Of those who are here. */
  readonly now: readonly { readonly agent: string; readonly name: string }[];
}

const COLORS = 12;

export function peopleOf({ everybody, chosen, now }: Named): People {
  const places = new Map(everybody.map((id, nth) => [id, nth]));
  const named = new Map([
    ...uniqueNames(everybody.map((id) => ({ id, chosen: chosen[id] ?? null }))),
    ...now.map(({ agent, name }) => [agent, name] as const),
  ]);
  const placeOf = (id: string): number => places.get(id) ?? everybody.length;
  const nameOf = (id: string): string => plain(named.get(id) ?? shortId(id));
  return {
    nameOf,
    fullNameOf: (id) => withId(nameOf(id), id),
    colorOf: (id) => `a${placeOf(id) % COLORS}`,
    inOrder: (ids) => [...new Set(ids)].sort((a, b) => placeOf(a) - placeOf(b)),
  };
}

/** `claude-1f3a…`: only the beginning of a session's id is useful. */
const shortId = (id: string): string => id.replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}/, '$1');
