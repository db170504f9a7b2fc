import { isFresh } from '../../core/rules/agent.ts';
import type { Hook } from '../context.ts';

/** A sign of life, recorded only if the last one is old. */
export function noteAlive({ home, who }: Hook): void {
  if (!isFresh(home.agent(), who, home.facts())) home.run({ type: 'agent.present', who });
}
