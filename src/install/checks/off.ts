import { rfc3339 } from '../../core/rfc3339.ts';
import { isBelieved } from '../../repo/known/belief.ts';
import { checking, ok, warn } from '../check.ts';
import { readOff } from '../off.ts';
import { readPause } from '../user-pause.ts';

export const off = checking('off', ({ repo, env, now }) => {
  const pause = isBelieved(repo, env) ? readOff(repo.state_dir, now) : readPause(repo, env, now);
  if (pause === null) return ok('guard is on');
  const until = rfc3339(pause.until_wall_ms);
  const facts = { until, by: pause.by };
  return warn(`guard is off until ${until} (${pause.by}): every write passes`, {
    facts,
    hint: 'guard off --now-on',
  });
});
