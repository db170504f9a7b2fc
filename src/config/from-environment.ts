/** The layer of the configuration that `GUARD_*` variables are. */
import type { Environment } from '../repo/user-dirs.ts';
import { type OneValueEach, readSettings } from './read-settings.ts';
import { SETTING_NAMES, variableOf } from './schema.ts';
import { wrongVariable } from './unheeded.ts';

const VARIABLES = ['preset', ...SETTING_NAMES].map((name) => [name, variableOf(name)] as const);

/** Null: none is set, as nearly always. */
export function fromEnvironment(env: Environment): OneValueEach | null {
  const set = VARIABLES.filter(([, variable]) => (env[variable] ?? '') !== '');
  if (set.length === 0) return null;
  const fields = Object.fromEntries(set.map(([name, variable]) => [name, env[variable]]));
  return readSettings(fields, (pointer, reason, hint) => {
    throw wrongVariable(pointer.slice(1), reason, hint);
  });
}
