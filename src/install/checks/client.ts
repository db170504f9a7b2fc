import { checking, ok, warn } from '../check.ts';
import { inWords, limitsOf } from '../promises.ts';

export const client = checking('client', ({ client: { version, from } }) => {
  if (version === null) {
    const hint = 'Put "claude" on PATH, so that guard can tell which promises hold with it.';
    return warn('Claude Code was not found on PATH', { facts: { version, from }, hint });
  }
  const limits = limitsOf({ version, from });
  const facts = { version, from, lacks: limits.map(({ lacks }) => lacks), limits: limits.map(inWords) };
  if (limits.length === 0) return ok(`Claude Code ${version}: every promise holds`, { facts });
  const hint = `Update Claude Code. Until then: ${facts.limits.join('; ')}.`;
  const weaker = limits.some(({ promises }) => promises.length > 0);
  const what = weaker ? 'some promises' : 'some conveniences';
  return warn(`Claude Code ${version} is too old for ${what}`, { facts, hint });
});
