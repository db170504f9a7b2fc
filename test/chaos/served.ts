/** A machine as installed: its server beats, delivers what was left for later, and answers the hooks that a launcher passes on. */
import fs from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { answerOf } from '../claude/driver/answer.ts';
import { runNow, type Scratch } from '../claude/driver.ts';
import { COLD, kill, LAUNCHERS, pidsIn, wordsFor } from '../warm/stage.ts';

/** @param config the user's, without `warm: false`; the first hook starts the server */
export function served(at: Scratch, config: object): Scratch {
  if (LAUNCHERS.length === 0) return at;
  const dir = at.env['XDG_CONFIG_HOME'] ?? join(at.home, '.config');
  fs.writeFileSync(`${dir}/guard/config.json`, JSON.stringify(config));
  onTestFinished(() => pidsIn(at).forEach(kill));
  const [program, ...words] = wordsFor(LAUNCHERS[0]);
  const hook: Scratch['hook'] = (event, more = {}) =>
    answerOf(
      runNow({
        ...{ program, args: [...words, ...COLD], cwd: at.root },
        env: { ...at.env, CLAUDECODE: '1', CLAUDE_PROJECT_DIR: at.root, ...more },
        stdin: typeof event === 'string' || Buffer.isBuffer(event) ? event : JSON.stringify(event),
      }),
    );
  return { ...at, hook };
}
