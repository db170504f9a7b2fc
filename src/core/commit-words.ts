/** The message for a refused commit, as lines for standard error, for people and agents alike. */
import { plain } from './plain.ts';
import { shellWord } from './shell-word.ts';
import type { RefusedPath } from './rules/commit.ts';

export interface RefusedCommit {
  /** `typed`: the path relative to the caller's directory. */
  readonly kept: readonly (RefusedPath & { readonly name: string; readonly typed: string })[];
  /** The same commit without the refused files. */
  readonly own: string | null;
  readonly is_joining: boolean;
  readonly is_agent: boolean;
  /** The command with which agents call guard. */
  readonly guard: string;
}

const SHOWN = 20;

export function refusedCommit({ kept, own, is_joining, is_agent, guard }: RefusedCommit): readonly string[] {
  const code = kept.some(({ because }) => because !== 'work') ? 'LOCKED_BY_OTHER' : 'WORK_OF_OTHERS';
  const more = kept.length - SHOWN;
  return [
    `guard: ${code}: this commit was refused. Other agents are at work on ${kept.length === 1 ? 'a file' : `${String(kept.length)} files`} of it:`,
    ...kept.slice(0, SHOWN).map((one) => `  ${plain(one.name)}: ${why(one)}`),
    ...(more > 0 ? [`  and ${String(more)} more`] : []),
    ...(own === null ? [] : [`Commit without them: ${own}`]),
    ...(is_joining ? ['git accepts no paths here: this concludes a merge, a cherry-pick or a revert.'] : []),
    ...waits(kept, guard),
    is_agent
      ? 'Do not bypass this with --no-verify: only a person may decide that.'
      : 'A person may commit anyway: git commit --no-verify',
  ];
}

function why({ holder, because, since, reason, pattern }: RefusedPath): string {
  const who = plain(holder);
  if (because === 'write') return `being written by ${who}`;
  if (because === 'work') return `written by ${who}, and not committed yet`;
  if (because === 'hold') return `locked by ${who} since ${since ?? ''}`;
  return `reserved by ${who} since ${since ?? ''} (${plain(pattern ?? '')}: ${plain(reason ?? '')})`;
}

function waits(kept: RefusedCommit['kept'], guard: string): readonly string[] {
  const [locked] = kept.filter(({ because, name }) => because !== 'work' && plain(name) === name);
  if (locked === undefined) return ['Or let their author commit them first.'];
  return [`Or wait until they are free: ${guard} lock wait ${shellWord(locked.typed)}`];
}
