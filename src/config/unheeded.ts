// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** The texts about configuration that is ignored or cannot be read. Loaded only then, which is rare. */
import { GuardError } from '../core/error.ts';
import type { ConfigWarning } from './merge.ts';
import { variableOf } from './schema.ts';

/** A user configuration that a repository could have supplied. */
export const notPersonal = (file: string, line: number | null): ConfigWarning => ({
  key: 'allow_weaker',
  wanted: 'true',
  kept: 'false',
  source: file,
  line,
  reason: 'this file is inside the repository, or belongs to another user',
  hint: 'Keep the user configuration outside the repository (see XDG_CONFIG_HOME and HOME).',
});

export function wrongVariable(name: string, reason: string, hint: string): GuardError {
  const variable = variableOf(name);
  const facts = { file: 'environment', line: 0, column: 0, reason, variable };
  return new GuardError('GUARD_ERR_CONFIG', `The variable ${variable} is wrong: ${reason}.`, hint, facts);
}
