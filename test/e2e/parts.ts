/**
 * What a run of the end-to-end tests consists of: all of them, or what always runs and one part of the rest.
 * `GUARD_E2E=part` takes the part whose turn it is after this number of commits; `GUARD_E2E=2/4` takes the second one.
 */
export interface Part {
  /** From 1. */
  readonly nth: number;
  readonly of: number;
}

/** With all, two processors are busy for 645 s; with one of four parts, for 270. */
const PARTS = 4;

/** A test of every promise (docs/promises.md), and of what the rest relies on, in every part. */
export const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  P1: ['stale-edit', 'two-clients'],
  P2: ['killed-client', 'auto-preset'],
  P3: ['unlocked-write'],
  P4: ['two-clients'],
  P5: ['killed-client'],
  P6: ['broken-guard'],
  P7: ['mcp-deadlock'],
  P8: ['unhook'],
  P9: ['shell-held'],
  'drafted agents': ['agents-alone'],
  'the client itself': ['facts/denial', 'facts/client-flags'],
  'the plugin': ['plugin-install'],
  // One of the clients that are not Claude Code.
  'other clients': ['hosts/promises'],
};

/** Seconds of the long ones, with four at a time on two processors: parts are of equal length, and long files start first. */
const SECONDS: Readonly<Record<string, number>> = {
  'hosts/promises': 120,
  agents: 120,
  'agents-ends': 96,
  'shell-modes': 95,
  'agents-messages': 93,
  'agents-night': 90,
  settings: 70,
  'agent-circle': 61,
  'broken-guard': 51,
  'agents-after': 46,
  'facts/tools': 46,
  'stop-hook': 45,
  'text-budget': 42,
  'shell-rules': 42,
  'shell-alone': 40,
  'two-clients': 40,
  'two-subagents': 33,
  'long-call': 33,
  'own-worktrees': 33,
  'facts/environment': 32,
  negotiation: 31,
  'hosts/beside': 31,
  'agents-alone': 28,
  'agents-waits': 25,
};
const OTHER_SECONDS = 15;

export const secondsOf = (name: string): number => SECONDS[name] ?? OTHER_SECONDS;

/** @throws Error if it names no part */
export function partAsked(asked: string | undefined, commits: number): Part | null {
  if (asked === undefined || asked === '' || asked === 'all') return null;
  if (asked === 'part') return { nth: 1 + (commits % PARTS), of: PARTS };
  const [nth = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(asked) ?? []).slice(1).map(Number);
  if (nth < 1 || nth > of)
    throw new Error(`GUARD_E2E is "all", "part", or for example "2/4", not "${asked}"`);
  return { nth, of };
}

/** Of the names of all test files, those that run. Together, all parts of a number are all names. */
export function namesIn(part: Part | null, names: readonly string[]): readonly string[] {
  if (part === null) return names;
  const always = new Set(Object.values(ALWAYS).flat());
  const loads = Array.from({ length: part.of }, () => ({ seconds: 0, names: new Set<string>() }));
  const longestFirst = names
    .filter((name) => !always.has(name))
    .toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1));
  for (const name of longestFirst) {
    const least = loads.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.names.add(name);
    least.seconds += secondsOf(name);
  }
  return names.filter((name) => always.has(name) || loads[part.nth - 1]?.names.has(name) === true);
}

/** Of a list inside a test, for example of clients: every nth, and at least one. */
export function membersIn<T>(part: Part | null, list: readonly T[]): readonly T[] {
  if (part === null) return list;
  const mine = list.filter((_, index) => index % part.of === part.nth - 1);
  return mine.length > 0 ? mine : list.slice((part.nth - 1) % list.length).slice(0, 1);
}
