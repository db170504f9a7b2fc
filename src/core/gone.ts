/** What is said about a file that an agent read and that is not there any more. Only what is known. */
import type { DenialStep } from './denial.ts';
import type { Json } from './ledger.ts';
import type { AgentId } from './types.ts';

export interface Gone {
  /** `unknown`: neither git nor the files here tell. */
  readonly fate: 'moved' | 'deleted' | 'unknown';
  /** Absolute. It is there, and holds what the agent read, or what git says became of it. */
  readonly moved_to?: string;
  /** Whose guarded write left the content that is at `moved_to`. */
  readonly by?: AgentId;
  /** The commit that did it, and its author. */
  readonly commit?: string;
  readonly commit_by?: string;
  /** How git is called for this checkout from where the agent is; null: there is no git to ask. */
  readonly git: string | null;
  /** This client reports that a Read found nothing, and so that the agent knows. */
  readonly hears_failures: boolean;
}

export const goneFacts = ({ fate, moved_to, by, commit, commit_by }: Gone): Record<string, Json> => ({
  gone: fate,
  ...(moved_to === undefined ? {} : { moved_to }),
  ...(by === undefined ? {} : { changed_by: by }),
  ...(commit === undefined ? {} : { commit }),
  ...(commit_by === undefined ? {} : { commit_by }),
});

/** STALE_FILE's own words speak of a change and of reading again; this is what is so instead. */
export function hintOfGone(abs: string, { fate, moved_to, hears_failures }: Gone): string {
  if (moved_to !== undefined)
    return `The file was moved: go on at ${moved_to}. To make it anew here all the same: ${knowingly(hears_failures)}.`;
  const what = fate === 'deleted' ? 'was deleted' : 'is not there any more: moved or deleted';
  return `${abs} ${what}. Whoever did that may have meant it.`;
}

/** Where nothing moved: look what happened, and leave it so, or make it anew in that knowledge. */
export function stepsOfGone(abs: string, { commit, git, hears_failures }: Gone): DenialStep[] {
  const look = commit === undefined ? 'status --short' : `show --stat ${commit}`;
  const anew = `Leave it gone; or, to make ${abs} anew all the same: ${knowingly(hears_failures)}`;
  return [
    ...(git === null ? [] : [{ order: 'other', text: `${git} ${look}` } as const]),
    { order: 'read', text: anew },
  ];
}

const knowingly = (hears_failures: boolean): string =>
  hears_failures
    ? 'Read it (that fails), then Write it'
    : 'make it empty with the Bash tool, Read it, then Write it';
