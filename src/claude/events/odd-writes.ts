// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** Rare writes that cannot be checked for reasons of their own. */
import { denialOf, type Objection } from '../../core/denial.ts';
import { guardError } from '../../core/messages.ts';
import { shownAt, type ShownFile } from '../../core/shown.ts';
import type { WriteVerdict } from '../../core/rules/write-event.ts';
import type { Target } from '../../repo/canonical.ts';
import type { DiskFact } from '../../repo/digest.ts';
import type { HookSpace, Hook } from '../context.ts';
import type { Unlocated } from './targets.ts';

/** A call that writes without saying where; ignored if guard is not set up. */
export const nowhere = ({ input, home }: Hook): Unlocated[] => {
  if (!home.repo.initialised) return [];
  const called = input.tool === '' ? 'a tool without a name' : input.tool;
  const failure = {
    code: 'GUARD_ERR_INPUT',
    message: `this call of ${called} does not say which file it writes.`,
    hint: 'Give the absolute path of the file. For MCP tools, "mcp" in the configuration says which arguments name files.',
  };
  return [{ given: '', failure }];
};

/** The file at its path cannot be compared with anything. */
export function notReadable(at: ShownFile, { state, error }: DiskFact): Objection {
  const message = state === 'special' ? 'it is not a regular file' : (error ?? 'it cannot be read');
  return guardError(at, {
    code: 'GUARD_ERR_UNREADABLE',
    message: `${at.abs}: ${message}.`,
    hint: 'Make the file readable, or write elsewhere.',
  });
}

/** The file changed at every look. */
export function unstable(space: HookSpace, files: readonly Target[]): WriteVerdict {
  const failure = {
    code: 'GUARD_ERR_UNSTABLE',
    message: 'the file kept changing while it was checked.',
    hint: 'Read the file again and retry.',
  };
  const denial = denialOf(
    files.map((file) => guardError(shownAt(file.abs, file.path, space.facts()), failure)),
  );
  if (denial === null) throw new Error('a verdict on no files');
  return { verdict: 'denied', denial };
}
