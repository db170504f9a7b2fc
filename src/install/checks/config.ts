import { unlessRefused } from '../../core/attempt.ts';
import { loadConfig } from '../../config/load.ts';
import { checking, type Finding, ok, refused, warn } from '../check.ts';

export const config = checking('config', ({ repo, env }) =>
  unlessRefused<Finding | readonly Finding[]>(() => {
    const { preset, policy, sources, warnings } = loadConfig({ repo, env });
    const files = sources.filter(({ found }) => found).map(({ file }) => file);
    const facts = {
      preset,
      enforcement: policy.enforcement,
      unread: policy.unread,
      ttl_ms: policy.ttl_ms,
      files,
    };
    if (warnings.length === 0) return ok(`Preset ${preset}, enforcement ${policy.enforcement}`, { facts });
    return warnings.map(({ key, wanted, kept, source, reason, hint }) =>
      warn(`${source}: "${key}": ${wanted} was ignored (${kept} holds): ${reason}`, {
        facts: { key, wanted, kept, source },
        hint,
      }),
    );
  }, refused),
);
