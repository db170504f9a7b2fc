/** Repositories for `guard doctor`, and what it says about them. */
import type { CheckResult } from '../../../src/install/check.ts';
import { guard } from '../../install/scratch.ts';
import { places, withClient } from './place.ts';
import type { Place } from './place.ts';

/** With a current client on PATH, and guard set up; `none`: not set up. */
export function patients(): (...init: string[]) => Place {
  const { fresh } = places();
  return (...init) => {
    const place = fresh();
    const env = withClient(place.home, '2.1.330', place.env);
    if (init[0] !== 'none') guard(place.repo, env, 'init', ...init);
    return { ...place, env, run: (...args) => guard(place.repo, env, ...args) };
  };
}

export function doctor({ repo, env }: Pick<Place, 'repo' | 'env'>, ...args: string[]) {
  const { code, stdout } = guard(repo, env, 'doctor', '--json', ...args);
  const told = JSON.parse(stdout) as {
    healthy: boolean;
    done: string[];
    failed: string[];
    results: CheckResult[];
  };
  const of = (id: string) => told.results.filter((result) => result.id === id);
  const complaints = told.results
    .filter(({ status }) => status !== 'ok')
    .map(({ id, status }) => `${status} ${id}`);
  return { ...told, code, of, complaints };
}
