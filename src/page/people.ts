/** An agent's name and color, the same everywhere on the page and at every moment. */
export interface People {
  nameOf(id: string): string;
  /** `a0` to `a11`: a class of the style sheet. */
  colorOf(id: string): string;
}

const COLORS = 12;

export function peopleOf(everybody: readonly string[], named: ReadonlyMap<string, string>): People {
  const places = new Map(everybody.map((id, nth) => [id, nth]));
  return {
    nameOf: (id) => named.get(id) ?? shortId(id),
    colorOf: (id) => `a${(places.get(id) ?? everybody.length) % COLORS}`,
  };
}

/** `claude-1f3a…`: only the beginning of a session's id is useful. */
const shortId = (id: string): string => id.replace(/([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}/, '$1');
