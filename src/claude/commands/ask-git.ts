/** One extra question to git, for which a late answer is as good as none. */
import { gitAt, OutOfTime } from '../../git/ask.ts';
import type { GitCheckout } from '../../git/place.ts';
import type { Hook } from '../context.ts';
import { patientUntil } from './patience.ts';

type At = Pick<GitCheckout, 'cwd' | 'common_dir'>;

/** Null if git refused; undefined if it did not answer in time. */
export function askGit(
  hook: Hook,
  { cwd, common_dir }: At,
  ...args: readonly string[]
): string | null | undefined {
  const plainly = { variables: {}, settings: [], pathspecs: [] };
  try {
    return gitAt({ cwd, common_dir, ...plainly, env: hook.env, until_ms: patientUntil(hook) })(...args);
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}
