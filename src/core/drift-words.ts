/** The texts about drift for agents. */
import type { Author, Drifted } from './drifted.ts';
import { plain } from './plain.ts';
import { shellWord } from './shell-word.ts';
import { rfc3339 } from './rfc3339.ts';

const SHOWN = 10;

const listed = (agents: readonly string[]): string =>
  agents
    .slice(0, 5)
    .map((agent) => plain(agent))
    .join(', ') + (agents.length > 5 ? ` and ${agents.length - 5} more` : '');

/** Follows "changed". */
const BY: Readonly<Record<Author['author'], (agents: string) => string>> = {
  parsed: (agents) => `by ${agents}`,
  suspected: (agents) => `most likely by ${agents} (no other agent's command ran then)`,
  ambiguous: (agents) => `by a command of one of these: ${agents}`,
  outside: () => "outside any agent's commands (a person, another tool, a rewind)",
};

export const byWhom = ({ author, agents }: Author): string => BY[author](listed(agents));

export interface Naming {
  readonly guard: string;
  /** The absolute name of a path of the ledger. */
  readonly spelled: (path: string) => string;
}

/** One line per file: what happened to files that this agent held or wrote. */
export function driftedLines(drifted: readonly Drifted[], { guard, spelled }: Naming): string[] {
  const lines = drifted.slice(0, SHOWN).map((one) => {
    const abs = spelled(one.path);
    const what = one.to === null ? 'is gone: deleted or moved' : 'is no longer as you left it: changed';
    const held = one.held ? ', which you hold,' : '';
    const was =
      one.from === null
        ? ''
        : ` Your content was digest ${one.from.slice(0, 12)}: ${guard} undo ${shellWord(abs)}`;
    return `- ${plain(abs)}${held} ${what} ${byWhom(one)}, seen ${rfc3339(one.wall_ms)}.${was}`;
  });
  return drifted.length > SHOWN ? [...lines, `- and ${drifted.length - SHOWN} more files`] : lines;
}

export const DRIFTED_HEAD = 'guard: files changed without guard:';
export const DRIFTED_NEXT =
  'Read such a file again before you write, release or commit it; `git diff` shows which of your changes are missing.';
