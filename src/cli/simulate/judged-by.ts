/** The policy that past sessions are checked against. */
import { loadConfig, policyOf } from '../../config/load.ts';
import { DEFAULTS, type Preset, PRESETS } from '../../config/schema.ts';
import type { Policy } from '../../core/types.ts';
import type { Repo } from '../../repo/locate.ts';
import type { PolicyShown } from '../../simulate/report.ts';
import type { Shell } from '../shell.ts';

export interface JudgedBy {
  readonly policy: Policy;
  readonly shown: PolicyShown;
}

/** Under other presets an agent that never heard of locks is refused at every file, which says nothing about its work. */
const USUAL: Preset = 'auto';

/** @param preset the one asked for */
export function judgedBy(repo: Repo, preset: Preset | undefined, { env }: Shell): JudgedBy {
  if (preset === undefined && repo.initialised) {
    const { policy, preset: own } = loadConfig({ repo, env });
    return { policy, shown: shownOf(own, 'repository', policy) };
  }
  const policy = policyOf({ ...DEFAULTS, ...PRESETS[preset ?? USUAL] });
  return { policy, shown: shownOf(preset ?? USUAL, preset === undefined ? 'default' : 'option', policy) };
}

const shownOf = (
  preset: Preset,
  from: PolicyShown['from'],
  { enforcement, unread }: Policy,
): PolicyShown => ({
  preset,
  from,
  enforcement,
  unread,
});
