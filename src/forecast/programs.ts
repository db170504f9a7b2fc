/**
 * Programs that a configuration names: filters, through which files go into git, and merge drivers. None of them is
 * run. A file with a filter counts as it is in the index, and a driver's files are merged as text by git itself.
 */
import { GuardError } from '../core/error.ts';
import { plain } from '../core/plain.ts';
import { textOfBytes } from './git.ts';

export interface Configured {
  readonly settings: readonly (readonly [key: string, value: string])[];
  /** By value of the attribute. */
  readonly filters: readonly string[];
  readonly drivers: readonly string[];
  readonly default_branch: string | null;
  /** Everything that may change how files are merged. */
  readonly rules: string;
}

/** A driver that keeps the file as it is; git can do that without any program. */
const KEEPS = /^(?:true|\/(?:usr\/)?bin\/true)$/;
const AS_TEXT = 'git merge-file -q --marker-size=%L %A %O %B';
const OF_PROGRAMS = /^(filter|merge)\.(.+)\.(clean|smudge|process|required|driver)$/s;

/**
 * @param listed output of `git config -z --list`, for every checkout that has its own configuration
 * @throws GuardError GUARD_ERR_GIT for a program whose name no variable can express: it could not be kept from running
 */
export function configuredBy(listed: string): Configured {
  const entries = textOfBytes(listed)
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [key = '', ...value] = entry.split('\n');
      return [key, value.join('\n')] as const;
    });
  const found = entries.flatMap(([key, value]) => {
    const [, kind, name = '', what] = OF_PROGRAMS.exec(key) ?? [];
    if (name.includes('\ufffd')) throw unsayable(key);
    return kind === undefined ? [] : [{ key, value, kind, name, what }];
  });
  const filters = found.filter(({ kind }) => kind === 'filter');
  const drivers = found.filter(({ what, value }) => what === 'driver' && !KEEPS.test(value));
  return {
    settings: [
      ...filters.map(({ key, what }) => [key, what === 'required' ? 'false' : ''] as const),
      ...drivers.map(({ key }) => [key, AS_TEXT] as const),
    ],
    filters: [...new Set(filters.map(({ name }) => name))].sort(),
    drivers: [...new Set(drivers.map(({ name }) => name))].sort(),
    default_branch: entries.findLast(([key]) => key === 'init.defaultbranch')?.[1] ?? null,
    rules: entries
      .filter(([key]) => /^(?:core|merge|diff|filter)\./.test(key))
      .map((entry) => entry.join('='))
      .join('\n'),
  };
}

const unsayable = (key: string): GuardError =>
  new GuardError(
    'GUARD_ERR_GIT',
    `The configuration names a program in bytes that are not UTF-8 (${plain(key)}), so guard cannot keep git from running it.`,
    'Rename it: git config --list --show-origin shows which file it is in.',
    { key },
  );
