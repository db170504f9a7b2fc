// lazy: loaded at the first call of one of its functions, and exports nothing else.
/** ConfigChange: a settings change that removes or disables guard does not take effect in this session. */
import { tellPerson } from './tell-person.ts';
import type { Now } from '../../core/types.ts';
import { readNow } from '../../repo/clock.ts';
import { locateRepo } from '../../repo/locate.ts';
import { textOf } from '../../repo/small-file.ts';
import { readOff } from '../../install/off.ts';
import { settingsPath } from '../../install/scopes.ts';
import { readVetoPass } from '../../install/veto-pass.ts';
import { whyNotHooked, whyOff } from '../../settings/judge.ts';
import { newKeys, readModel, SETTINGS_MAX_BYTES, type SettingsModel } from '../../settings/model.ts';
import { runningVersion } from '../../settings/version.ts';
import { textField } from '../input.ts';
import type { HookInput } from '../hook-input.ts';
import { block, type HookOutput, SILENT } from '../output.ts';
import { wordDirOf } from '../ledger-of.ts';
import type { HookEnvironment } from '../context.ts';

/** Needs neither ledger nor configuration: if one of them is broken, writes are denied, and must stay denied. */
export function configChange(input: HookInput, { env }: HookEnvironment): HookOutput {
  const repo = locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd, env);
  const around = { env, now: readNow(), root: repo.root, state_dir: wordDirOf(repo, env) };
  const file = textField(input.raw, 'file_path', 'filePath');
  if (file === '' || readOff(around.state_dir, around.now) !== null) return SILENT;
  const reason = whyUnguarded(around, file);
  if (reason === null) return noteOf(file, around);
  return block(
    `This change of ${file} does not take effect while guard protects the repository: ${reason} ` +
      'A person can run "guard uninstall", or "guard off --for 10m", in a terminal.',
  );
}

interface Around {
  readonly env: NodeJS.ProcessEnv;
  readonly now: Now;
  readonly root: string;
  readonly state_dir: string;
}

/**
 * Checks all settings files as they are now: a vetoed change stays on disk, and takes effect with the next approved
 * change of any file (measured). Only files that guard itself wrote are left out: a pass for one file must not let
 * through a change of another.
 */
function whyUnguarded(around: Around, changed: string): string | null {
  const { env, now, state_dir } = around;
  const isGuards = (file: string): boolean => readVetoPass(state_dir, file, now) !== null;
  const all = filesOf(around);
  const others = all.filter((file) => !isGuards(file));
  const survey = (files: readonly string[]) => {
    const models = files.flatMap((file) => seen(file, env) ?? []);
    // A settings file that sets the plugin's variable does not turn this hook into the plugin's.
    const faked = models.some((model) => model.env['CLAUDE_PLUGIN_ROOT'] !== undefined);
    return { files: models, env, by_plugin: env['CLAUDE_PLUGIN_ROOT'] !== undefined && !faked };
  };
  const off = whyOff(survey(others));
  if (off !== null || isGuards(changed)) return off;
  return whyNotHooked(survey(all));
}

/** The settings files that the client reads in this session, weakest first. */
function filesOf({ env, root }: Around): readonly string[] {
  const dir = env['CLAUDE_PROJECT_DIR'] ?? root;
  return (['user', 'project', 'local'] as const).map((scope) => settingsPath(scope, dir, env));
}

/** Null if the file does not exist or cannot be read in bounded time. */
function seen(file: string, env: NodeJS.ProcessEnv): SettingsModel | null {
  const text = textOf(file, SETTINGS_MAX_BYTES);
  return text === null ? null : readModel(text, runningVersion(env));
}

/** Reported, not refused: measurements show that the client ignores keys that it does not know. */
function noteOf(file: string, around: Around): HookOutput {
  const model = filesOf(around).includes(file) ? seen(file, around.env) : null;
  const keys = model === null ? [] : newKeys(model);
  if (keys.length === 0) return SILENT;
  const systemMessage = `guard does not know ${keys.join(', ')} in ${file}: newer than this guard, or misspelt. Run "guard doctor" to test it.`;
  return tellPerson(SILENT, systemMessage);
}
