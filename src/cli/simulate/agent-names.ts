/** The agents of a simulation by the names that guard derives from their ids everywhere: a team reads no UUIDs. */
import { nameFor, uniqueNames } from '../../core/names.ts';
import type { SimulationReport } from '../../simulate/report.ts';

/** As messages of denials contain them. */
const ID = /\bclaude-[0-9a-f]{8}-[0-9a-f-]{27}(?:\/[\w-]+)?/g;

export interface AgentNames {
  readonly nameOf: (id: string) => string;
  /** With the beginning of the id, which is that of the transcript's file: `coral-heron (c91d7f62)`. */
  readonly fullNameOf: (id: string) => string;
  /** The text, with names instead of ids. */
  readonly inText: (text: string) => string;
}

export function agentNames({ denied, lost }: SimulationReport): AgentNames {
  const shown = [
    ...denied.groups.map(({ first }) => first.agent),
    ...lost.list.flatMap(({ made_by, by }) => [made_by, by]),
  ];
  const names = uniqueNames([...new Set(shown)].map((id) => ({ id, chosen: null })));
  const nameOf = (id: string): string => names.get(id) ?? nameFor(id);
  return {
    nameOf,
    fullNameOf: (id) => `${nameOf(id)} (${shortId(id)})`,
    inText: (text) => text.replace(ID, nameOf),
  };
}

const SHORT_CHARS = 8;

const shortId = (id: string): string =>
  id
    .replace(/^claude-/, '')
    .split('/')
    .map((part) => part.slice(0, SHORT_CHARS))
    .join('/');
