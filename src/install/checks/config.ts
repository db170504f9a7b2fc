import { isGuardError } from '../../core/error.ts';
import { loadConfig } from '../../config/load.ts';
import { fail, ok, warn } from '../check.ts';
import type { Check } from '../check.ts';

export const config: Check = {
  id: 'config',
  run: ({ repo, env }) => {
    try {
      const { preset, policy, sources, warnings } = loadConfig({ repo, env });
      const files = sources.filter(({ found }) => found).map(({ file }) => file);
      const facts = {
        preset,
        enforcement: policy.enforcement,
        unread: policy.unread,
        ttl_ms: policy.ttl_ms,
        files,
      };
      if (warnings.length === 0)
        return [ok('config', `Preset ${preset}, enforcement ${policy.enforcement}`, { facts })];
      return warnings.map(({ key, wanted, kept, source, reason, hint }) =>
        warn('config', `${source}: "${key}": ${wanted} was ignored (${kept} holds): ${reason}`, {
          facts: { key, wanted, kept, source },
          hint,
        }),
      );
    } catch (error) {
      if (!isGuardError(error)) throw error;
      return [fail('config', error.message, { facts: { code: error.code }, hint: error.hint })];
    }
  },
};
