import { telling } from '../../settings/environment.ts';
import { checking, fail, ok, warn } from '../check.ts';
import { isObject } from '../settings-text.ts';

/** `env` of a settings file reaches hooks and the Bash tool, including PATH and NODE_OPTIONS. */
export const environment = checking('environment', ({ settings }) => {
  const found = settings.flatMap(({ scope, path, value }) =>
    isObject(value['env']) && scope !== 'managed'
      ? Object.entries(value['env']).flatMap(([name, given]) => {
          const known = telling(name, given);
          return known === null ? [] : [{ path, ...known }];
        })
      : [],
  );
  if (found.length === 0) return ok("No settings file changes guard's environment");
  return found.map(({ path, name, why, unguards }) =>
    (unguards ? fail : warn)(`${path} sets ${name}, which reaches guard's own processes: ${why}`, {
      facts: { file: path, variable: name },
      hint: `Remove env.${name} there; set it in your shell if you need it.`,
    }),
  );
});
