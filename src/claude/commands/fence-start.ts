// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** SessionStart: sets up the fence for the commands of this session, if the configuration and the machine allow one. */
import { startFence, stopFence } from '../../fence/start.ts';
import { guardRoot } from '../../install/guard-root.ts';
import type { Hook } from '../context.ts';
import { holdNow } from './fence-tend.ts';

/** A session's name becomes part of a file name and a word in a shell command. */
const NAMED = /^\w[\w-]{0,127}$/;

/** The note for the session: '' unless commands will be denied. */
export function setUpFence(hook: Hook): string {
  const { home, who, env, input, now, dry } = hook;
  const { fence, policy, preset } = home.config;
  if (dry || input.host !== 'claude' || !home.repo.initialised || !NAMED.test(input.session)) return '';
  if (fence === 'off') {
    stopFence(home.state_dir);
    return '';
  }
  const started = startFence(
    {
      repo: home.repo,
      state_dir: home.state_dir,
      policy,
      fence,
      mode: preset === 'strict' || fence === 'required' ? 'closed' : 'open',
      home: `${guardRoot()}/fence`,
      session: input.session,
      main: who.id,
      env_file: env['CLAUDE_ENV_FILE'],
      path: env['PATH'],
      now,
    },
    () => holdNow(home, now),
  );
  if (fence !== 'required' || started.by !== null) return '';
  return `guard: commands that may write are denied in this session, because the configuration asks for a fence and there is none: ${started.why}. ${started.remedy}`;
}
