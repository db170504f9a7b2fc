/** The texts about a file that an agent read and that no longer exists. They state only what is known. */
import type { DenialStep } from './denial.ts';
import type { Json } from './ledger.ts';
import type { AgentId } from './types.ts';

export interface Gone {
  /** `unknown`: neither git nor the files here show what happened. */
  readonly fate: 'moved' | 'deleted' | 'unknown';
  /** Absolute path of a file with the content that the agent read, or to which git says the file was moved. */
  readonly moved_to?: string;
  /** The agent whose guarded write produced the content at `moved_to`. */
  readonly by?: AgentId;
  /** The commit that removed it, and its author. */
  readonly commit?: string;
  readonly commit_by?: string;
  /** The git command for this checkout, from the agent's directory; `null` if there is no git to ask. */
  readonly git: string | null;
  /** This client reports a failed Read, so guard learns that the agent knows. */
  readonly hears_failures: boolean;
}

export const goneFacts = ({ fate, moved_to, by, commit, commit_by }: Gone): Record<string, Json> => ({
  gone: fate,
  ...(moved_to === undefined ? {} : { moved_to }),
  ...(by === undefined ? {} : { changed_by: by }),
  ...(commit === undefined ? {} : { commit }),
  ...(commit_by === undefined ? {} : { commit_by }),
});

/** STALE_FILE's fixed text mentions a change and reading again; this hint says what actually happened. */
export function hintOfGone(abs: string, { fate, moved_to, hears_failures }: Gone): string {
  if (moved_to !== undefined)
    return `The file was moved: continue at ${moved_to}. To create it here again anyway: ${knowingly(hears_failures)}.`;
  const what = fate === 'deleted' ? 'was deleted' : 'no longer exists: it was moved or deleted';
  return `${abs} ${what}. That may have been intended.`;
}

/** If the file was not moved: look at what happened, then leave it or recreate it deliberately. */
export function stepsOfGone(abs: string, { commit, git, hears_failures }: Gone): DenialStep[] {
  const look = commit === undefined ? 'status --short' : `show --stat ${commit}`;
  const anew = `Leave it gone or, to create ${abs} again anyway: ${knowingly(hears_failures)}`;
  return [
    ...(git === null ? [] : [{ order: 'other', text: `${git} ${look}` } as const]),
    { order: 'read', text: anew },
  ];
}

const knowingly = (hears_failures: boolean): string =>
  hears_failures
    ? 'Read it (that fails), then Write it'
    : 'create it empty with the Bash tool, Read it, then Write it';
