import { borrowedVariables, userStateDir } from '../../repo/user-dirs.ts';
import { checking, ok, warn } from '../check.ts';

/** Everything below HOME and the XDG directories is trusted, so a place that a repository could fill is not used. */
export const homes = checking('homes', ({ env }) => {
  const borrowed = borrowedVariables(env);
  if (borrowed.length === 0) return ok(`Your own state is in ${userStateDir(env)}`);
  return borrowed.map((name) =>
    warn(`${name} is ignored: it leads into a checkout or below /proc (${env[name] ?? ''})`, {
      facts: { variable: name, value: env[name] ?? null, state_dir: userStateDir(env) },
      hint: `Set ${name} to a directory outside every repository.`,
    }),
  );
});
