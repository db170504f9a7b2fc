import { ok, warn } from '../check.ts';
import type { Check } from '../check.ts';
import { inWords, limitsOf } from '../promises.ts';

export const client: Check = {
  id: 'client',
  run: ({ client: { version, from } }) => {
    if (version === null) {
      const hint = 'Put "claude" on PATH, so that guard can tell which promises hold with it.';
      return [warn('client', 'Claude Code was not found on PATH', { facts: { version, from }, hint })];
    }
    const limits = limitsOf({ version, from });
    const facts = {
      version,
      from,
      lacks: limits.map(({ lacks }) => lacks),
      limits: limits.map(inWords),
    };
    if (limits.length === 0) return [ok('client', `Claude Code ${version}: every promise holds`, { facts })];
    const hint = `Update Claude Code. Until then: ${facts.limits.join('; ')}.`;
    const weaker = limits.some(({ promises }) => promises.length > 0);
    const what = weaker ? 'some promises' : 'some comfort';
    return [warn('client', `Claude Code ${version} is too old for ${what}`, { facts, hint })];
  },
};
