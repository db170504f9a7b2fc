/** Repositories for `guard doctor`, and its findings in them. */
import type { CheckResult } from '../../../src/install/check.ts';
import { CHECKS } from '../../../src/install/checks.ts';
import { examine, isHealthy, runChecks } from '../../../src/install/doctor.ts';
import { guard } from '../../install/scratch.ts';
import { type Place, places, withClient } from './place.ts';

/** Guard set up, with a current client on PATH; `none` skips the setup. */
export function patients(): (...init: string[]) => Place {
  const { fresh } = places();
  return (...init) => {
    const place = fresh();
    const env = withClient(place.home, '2.1.330', place.env);
    if (init[0] !== 'none') guard(place.repo, env, 'init', ...init);
    return { ...place, env, run: (...args) => guard(place.repo, env, ...args) };
  };
}

interface Told {
  readonly code: number | null;
  readonly done: readonly string[];
  readonly complaints: readonly string[];
  readonly results: readonly CheckResult[];
  of(id: string): readonly CheckResult[];
}

function told(code: number | null, results: readonly CheckResult[], done: readonly string[] = []): Told {
  const complaints = results
    .filter(({ status }) => status !== 'ok')
    .map(({ id, status }) => `${status} ${id}`);
  return { code, done, results, complaints, of: (id) => results.filter((result) => result.id === id) };
}

/** Runs the real command. */
export function doctor({ repo, env }: Pick<Place, 'repo' | 'env'>, ...args: string[]): Told {
  const { code, stdout } = guard(repo, env, 'doctor', '--json', ...args);
  const { results, done } = JSON.parse(stdout) as { done: string[]; results: CheckResult[] };
  return told(code, results, done);
}

/** Runs every check but `live` in this process: the command takes five processes and half a second. */
export function look({ repo, env }: Pick<Place, 'repo' | 'env'>): Told {
  const results = runChecks(
    examine(repo, env),
    CHECKS.filter(({ id }) => id !== 'live'),
  );
  return told(isHealthy(results) ? 0 : 1, results);
}
