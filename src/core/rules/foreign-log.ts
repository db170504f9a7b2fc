/**
 * The wait-for graph of a log: guard's own ledger, or any JSONL with hold, wait and release records
 * (`{"type","agent","path"|"paths"|"filepath"|"filepaths","holder"?}`). Without states there are no clocks: an edge
 * lasts until the log ends it.
 */
import { isObject } from '../json-object.ts';
import type { GraphEdge } from './wait-graph.ts';

export interface LogLine {
  readonly type: string;
  readonly agent: string;
  readonly paths: readonly string[];
  /** The holders that a wait names; if none, the path's holders count. */
  readonly holders: readonly string[];
  readonly all: boolean;
  readonly kind: GraphEdge['kind'];
}

interface Want {
  readonly path: string;
  readonly holders: readonly string[];
  readonly kind: GraphEdge['kind'];
}

/** Holders by path and wants by agent, after the last line. */
export interface ForeignStanding {
  readonly held: Map<string, Set<string>>;
  readonly wants: Map<string, Want[]>;
}

export const nobody = (): ForeignStanding => ({ held: new Map(), wants: new Map() });

/** Parses one object of a log; `null` if it is not one of these records. */
export function lineOf(value: unknown): LogLine | null {
  if (!isObject(value)) return null;
  const fields = value;
  const { type, agent } = fields;
  if (typeof type !== 'string' || typeof agent !== 'string' || !Object.hasOwn(APPLY, type)) return null;
  const paths = [fields['path'], fields['paths'], fields['filepath'], fields['filepaths']].flatMap(stringsIn);
  const holders = [fields['holder'], fields['holders']].flatMap(stringsIn);
  const kind = fields['kind'] === 'wanted' ? 'wanted' : 'wait';
  return { type, agent, paths, holders, all: fields['all'] === true, kind };
}

const stringsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((entry): entry is string => typeof entry === 'string');

export function applyLine(standing: ForeignStanding, line: LogLine): void {
  APPLY[line.type]?.(standing, line);
}

const APPLY: Readonly<Record<string, (standing: ForeignStanding, line: LogLine) => void>> = {
  hold: ({ held, wants }, { agent, paths }) => {
    for (const path of paths) held.set(path, new Set(held.get(path)).add(agent));
    dropWants(wants, agent, paths);
  },
  wait: ({ wants }, { agent, paths, holders, kind }) => {
    dropWants(wants, agent, paths);
    wants.set(agent, [...(wants.get(agent) ?? []), ...paths.map((path) => ({ path, holders, kind }))]);
  },
  unwait: ({ wants }, { agent, paths }) => dropWants(wants, agent, paths),
  release: ({ held, wants }, { agent, paths, all }) => {
    for (const path of all ? [...held.keys()] : paths) held.get(path)?.delete(agent);
    if (all) wants.delete(agent);
  },
  revoke: ({ held }, { agent, paths }) => {
    for (const path of paths) held.get(path)?.delete(agent);
  },
  'agent.leave': ({ held, wants }, { agent }) => {
    for (const holders of held.values()) holders.delete(agent);
    wants.delete(agent);
  },
};

function dropWants(wants: ForeignStanding['wants'], agent: string, paths: readonly string[]): void {
  const left = (wants.get(agent) ?? []).filter((want) => !paths.includes(want.path));
  if (left.length === 0) wants.delete(agent);
  else wants.set(agent, left);
}

export function edgesOfStanding({ held, wants }: ForeignStanding): GraphEdge[] {
  return [...wants].flatMap(([from, wanted]) =>
    wanted.flatMap(({ path, holders, kind }) => {
      const now = held.get(path);
      // If the log never records a holder, only the wait itself names one.
      const waits_for = now === undefined ? holders : [...now];
      return waits_for
        .filter((to) => to !== from)
        .map((to) => ({ from, to, path, kind, because: 'hold' as const }));
    }),
  );
}
