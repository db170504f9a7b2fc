/** What the pre-push hook says, as lines for standard error. */
import { plain } from './plain.ts';
import { pushOverOthers, pushUnasked } from './push-words.ts';
import type { Revoked, RepoPath } from './types.ts';

type Refused = { readonly unasked: readonly RepoPath[] } | { readonly lost: readonly Revoked[] };

/** @param cwd where git was called */
export function refusedPush(cwd: string, why: Refused): readonly string[] {
  const { error_type, message, recovery_hint } =
    'lost' in why ? pushOverOthers(cwd, why.lost) : pushUnasked(cwd, why.unasked);
  return [
    `guard: ${error_type}: this push was refused. ${plain(message)}`,
    plain(recovery_hint),
    'Do not bypass this with --no-verify: only a person may decide that.',
  ];
}

const SHOWN = 10;

/** For a person, whose push is not held back. */
export function unaskedNote(paths: readonly RepoPath[]): readonly string[] {
  if (paths.length === 0) return [];
  const more = paths.length > SHOWN ? ` and ${String(paths.length - SHOWN)} more` : '';
  const files = paths.slice(0, SHOWN).map((path) => JSON.stringify(plain(path)));
  return [
    `guard: the shared ledger does not answer. Whether agents still held the locks on ${files.join(', ')}${more} when they wrote there is not known yet, so this push may overwrite others' work.`,
  ];
}
