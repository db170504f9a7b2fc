import { TELLING_ENV } from '../../claude/telling-env.ts';
import { fail, ok } from '../check.ts';
import type { Check } from '../check.ts';
import { isObject } from '../settings-text.ts';

/** `env` of a settings file reaches hooks and the Bash tool, PATH and NODE_OPTIONS included. */
export const environment: Check = {
  id: 'environment',
  run: ({ settings }) => {
    const found = settings.flatMap(({ scope, path, value }) =>
      isObject(value['env']) && scope !== 'managed'
        ? Object.keys(value['env'])
            .filter((name) => TELLING_ENV.test(name))
            .map((name) => ({ path, name }))
        : [],
    );
    if (found.length === 0) return [ok('environment', 'No settings file changes the environment of guard')];
    return found.map(({ path, name }) =>
      fail('environment', `${path} sets ${name}, which reaches guard's own processes`, {
        facts: { file: path, variable: name },
        hint: `Remove env.${name} there; set it in your shell if you need it.`,
      }),
    );
  },
};
