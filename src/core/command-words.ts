/** The texts of denied command lines. Hooks load this file only when they deny one. */
import type { Objection, DenialStep } from './denial.ts';
import { shellWord } from './shell-word.ts';
import type { ShownFile } from './shown.ts';
import type { AgentId } from './types.ts';

/** The number of files listed by name; the rest are only counted. */
const SHOWN = 8;
const SOURCE_CHARS = 200;

export interface HeldByOther {
  readonly abs: string;
  readonly holder: AgentId;
  readonly expires_at: string;
  readonly pattern?: string;
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
const clipped = (source: string): string =>
  source.length <= SOURCE_CHARS ? source : `${source.slice(0, SOURCE_CHARS)}…`;

function listOf(held: readonly HeldByOther[]) {
  const names = held.map(({ abs, pattern }) => pattern ?? abs);
  const more = names.length > SHOWN ? { held_more: names.length - SHOWN } : {};
  const [first] = held as readonly [HeldByOther];
  const expires_at = held.reduce((last, one) => (one.expires_at > last ? one.expires_at : last), '');
  return {
    holder: first.holder,
    holders: unique(held.map(({ holder }) => holder)).slice(0, SHOWN),
    held: names.slice(0, SHOWN),
    ...more,
    expires_at,
  };
}

const waitFor = ({ guard }: ShownFile, held: readonly HeldByOther[]): DenialStep[] => {
  const files = held.filter(({ pattern }) => pattern === undefined).slice(0, SHOWN);
  if (files.length === 0) return [];
  return [{ order: 'wait', text: `${guard} lock wait ${files.map(({ abs }) => shellWord(abs)).join(' ')}` }];
};

/** Others hold files that a command would process. `mine`: the absolute paths that the agent itself holds there. */
export function heldBelow(
  at: ShownFile,
  command: { readonly source: string; readonly by: string },
  held: readonly HeldByOther[],
  mine: readonly string[],
): Objection {
  const own = mine.slice(0, SHOWN).map(shellWord).join(' ');
  const what = own === '' ? 'only files that no one else holds' : `the files you hold: ${own}`;
  return {
    error_type: 'LOCKED_BY_OTHER',
    path: at.abs,
    message: `Other agents hold ${held.length === 1 ? 'a file' : `${held.length} files`} in it.`,
    details: { command: clipped(command.source), ...listOf(held) },
    recovery_hint: `Name narrower paths for ${command.by}, or wait.`,
    next: [{ order: 'other', text: `${command.by}: name ${what}` }, ...waitFor(at, held)],
    lead: 'Other agents hold files in it.',
  };
}

/** Git would change files under another agent's lock. */
export function heldInGit(
  at: ShownFile,
  source: string,
  held: readonly HeldByOther[],
  narrower: string | null,
): Objection {
  return {
    error_type: 'LOCKED_BY_OTHER',
    path: at.abs,
    message: `This would change ${held.length === 1 ? 'a file' : `${held.length} files`} that other agents hold.`,
    details: { command: clipped(source), ...listOf(held) },
    recovery_hint: 'Leave their files out, or wait.',
    next: [...narrowed(narrower), ...waitFor(at, held)],
  };
}

const narrowed = (narrower: string | null): DenialStep[] =>
  narrower === null ? [] : [{ order: 'other', text: narrower }];

export interface LostWork {
  readonly abs: string;
  readonly author: AgentId;
  readonly is_staged: boolean;
}

/** Uncommitted work of other agents would be affected. `narrower`: the same command limited to other files. */
export function workOfOthers(
  at: ShownFile,
  source: string,
  lost: readonly LostWork[],
  narrower: string | null,
): Objection {
  const files = lost.slice(0, SHOWN).map(({ abs, author }) => ({ path: abs, author }));
  const isOnlyStaged = lost.every(({ is_staged }) => is_staged);
  const done = isOnlyStaged ? 'commit work of other agents in your name' : 'take away work of other agents';
  return {
    error_type: 'WORK_OF_OTHERS',
    path: at.abs,
    message: `This would ${done} that they have not committed.`,
    details: {
      command: clipped(source),
      files,
      ...(lost.length > SHOWN ? { files_more: lost.length - SHOWN } : {}),
      holders: unique(lost.map(({ author }) => author)).slice(0, SHOWN),
    },
    recovery_hint: 'Leave their files out, or let them commit first.',
    next: narrower === null ? askThem(at, lost) : narrowed(narrower),
  };
}

const askThem = ({ guard }: ShownFile, lost: readonly LostWork[]): DenialStep[] => {
  const to = unique(lost.map(({ author }) => author)).slice(0, SHOWN);
  const names = lost
    .slice(0, 3)
    .map(({ abs }) => abs)
    .join(', ');
  const whom = to.map((id) => `--to ${shellWord(id)}`).join(' ');
  const body = shellWord(`Please commit your changes of ${names}; I need to continue with git there.`);
  return [{ order: 'other', text: `${guard} message send ${whom} ${body}` }];
};

/** `strict` only. */
export const unresolvedTarget = (
  at: ShownFile,
  part: { readonly source: string; readonly by: string; readonly reason: string },
): Objection => ({
  error_type: 'UNRESOLVED_TARGET',
  path: at.abs,
  message: `guard cannot tell which file "${clipped(part.source)}" writes.`,
  details: { part: clipped(part.source), by: part.by, reason: part.reason },
  recovery_hint: 'Name the file as it is, without variables or substitutions.',
  next: [{ order: 'other', text: 'Run it again with the file spelled out, or use Write or Edit' }],
});
