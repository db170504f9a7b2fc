import { ownPlace } from '../../repo/clones.ts';
import { ifAllowed } from '../../core/attempt.ts';
import { checking, fail, ok, type Patient, warn } from '../check.ts';
import { installFacts } from '../facts.ts';
import { guardSources } from '../hook-sources.ts';
import { planInstall } from '../plan.ts';
import { summaryOf } from '../show-changes.ts';

/** Whether guard is hooked at all, and in the way this version of guard would do it. */
export const hooks = checking('hooks', (patient) => {
  const sources = guardSources(patient);
  const facts = { sources: sources.map(({ name, path }) => `${name}: ${path}`) };
  if (sources.length === 0) {
    return fail('No settings file and no plugin runs guard here', { facts, hint: 'Run: guard init' });
  }
  const files = outdated(patient);
  if (files.length === 0 || sources.every(({ kind }) => kind === 'plugin')) {
    return ok(`Hooked by ${sources.map(({ name }) => name).join(' and ')}`, { facts });
  }
  const details = { facts: { ...facts, files }, hint: 'Run: guard init', fixable: true };
  return warn(`Out of date or edited: ${files.join(', ')}`, details);
});

/** An unreadable settings file has its own check. */
const outdated = ({ repo, env, guard_root, client }: Patient): readonly string[] =>
  ifAllowed<readonly string[]>(() => {
    const plan = planInstall(
      installFacts({ scope: null, preset: null }, { repo: ownPlace(repo), env, guard_root, client }),
    );
    if (plan.is_done) return [];
    return plan.changes.length > 0 ? summaryOf(plan.changes).map(({ path }) => path) : ['install.json'];
  }, []);
