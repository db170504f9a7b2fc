/**
 * Asks the installed client itself whether it still runs hooks with settings that guard's schema does not know. It gets a
 * prompt in a scratch directory, with a separate home, and a hook refuses that prompt before anything is sent anywhere.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asList, asObject } from '../core/json-object.ts';
import { shellWord } from '../core/shell-word.ts';
import { type JsonObject, newKeys, type SettingsModel } from '../settings/model.ts';
import type { Patient } from './check.ts';
import { findOnPath } from './find-on-path.ts';

export interface Trial {
  readonly verdict: 'runs' | 'drops' | 'untried';
  /** As half a sentence. */
  readonly text: string;
}

/** A cold client took 1.1 s on an idle machine; a hanging one must not hang guard. */
const TIMEOUT_MS = 20_000;

/** Not tried inside a client, where another client would be a separate session. */
export function clientKeeps(model: SettingsModel, { env }: Patient): Trial {
  const program = findOnPath('claude', env['PATH']);
  if (program === null || (env['CLAUDECODE'] ?? '') !== '')
    return { verdict: 'untried', text: 'newer than guard, or misspelt' };
  const without = runsHooks(program, {}, env);
  if (!without) return { verdict: 'untried', text: 'Claude Code ran no hook in a trial without them either' };
  return runsHooks(program, inDoubt(model), env)
    ? { verdict: 'runs', text: 'Claude Code runs hooks with that, tried just now' }
    : { verdict: 'drops', text: 'Claude Code runs no hooks with that, tried just now' };
}

/** Only what guard does not know, and nothing that the client would run, send or ask for. */
function inDoubt({ value }: SettingsModel): JsonObject {
  const model = { value, faults: [], hooks: [], env: {} };
  const keys = newKeys(model);
  const top = Object.entries(value).filter(([name]) => keys.includes(name));
  const permissions = keys.some((key) => key.startsWith('permissions.')) ? value['permissions'] : undefined;
  const kept: JsonObject = {
    ...Object.fromEntries(top),
    ...(permissions === undefined ? {} : { permissions }),
  };
  return keys.some((key) => key.startsWith('hooks.')) ? { ...kept, hooks: idle(value['hooks']) } : kept;
}

/** The same entries, but only for tools: none is called before the prompt is refused. */
function idle(hooks: unknown): JsonObject {
  const events = Object.entries(asObject(hooks));
  const groups = events.flatMap(([, some]) => asList(some));
  const unknown = events.map(([event]) => [event, []]);
  return { ...(Object.fromEntries(unknown) as JsonObject), PreToolUse: groups };
}

function runsHooks(program: string, settings: JsonObject, env: Patient['env']): boolean {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'guard-trial-')));
  try {
    const [home, mark] = [join(dir, 'home'), join(dir, 'mark')];
    const command = `touch ${shellWord(mark)}; exit 2`;
    const own = { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] };
    const hooks = { ...(settings['hooks'] as object | undefined), ...own };
    for (const made of [home, join(dir, '.claude')]) mkdirSync(made);
    writeFileSync(join(dir, '.claude', 'settings.json'), JSON.stringify({ ...settings, hooks }));
    spawnSync(program, ['-p', 'trial'], {
      cwd: dir,
      env: trialEnv(home, env),
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    return existsSync(mark);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Nothing listens on port 9. */
const trialEnv = (home: string, env: Patient['env']): NodeJS.ProcessEnv => ({
  PATH: env['PATH'],
  HOME: home,
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
});
