/** ConfigChange: a settings change that removes or disables guard does not take effect in this session. */
import fs from 'node:fs';
import type { Now } from '../../core/types.ts';
import { readNow } from '../../repo/clock.ts';
import { locateRepo } from '../../repo/locate.ts';
import { readOff } from '../../install/off.ts';
import { SCOPES, settingsPath } from '../../install/scopes.ts';
import { readVetoPass } from '../../install/veto-pass.ts';
import { textField } from '../input.ts';
import { block, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import { wordDirOf } from '../ledger-of.ts';
import type { HookInput } from '../input.ts';
import type { Environment } from '../scene.ts';
import { guardsWrites, whyVoid } from '../settings-judge.ts';

/** Needs neither ledger nor configuration: where one of them is broken, writes are denied, and must stay so. */
export function configChange(input: HookInput, { env }: Environment): HookOutput {
  const repo = locateRepo(env['CLAUDE_PROJECT_DIR'] ?? input.cwd, env);
  const around = { env, now: readNow(), root: repo.root, state_dir: wordDirOf(repo, env) };
  const file = textField(input.raw, 'file_path', 'filePath');
  if (file === '' || readOff(around.state_dir, around.now) !== null) return SILENT;
  const reason = whyUnguarded(around, file);
  if (reason === null) return SILENT;
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
 * All settings files as they are now: a change that was vetoed stays on disk, and takes effect with the next change
 * of any file that is let through (measured). What guard itself wrote is left out, and nothing else: a pass for one
 * file must not carry a change of another one. Hooks of a plugin are in none of them.
 */
function whyUnguarded({ env, now, root, state_dir }: Around, changed: string): string | null {
  const isGuards = (file: string): boolean => readVetoPass(state_dir, file, now) !== null;
  const roots = new Set([root, env['CLAUDE_PROJECT_DIR'] ?? root]);
  const files = [...roots].flatMap((dir) => SCOPES.map((scope) => settingsPath(scope, dir, env)));
  const texts = (some: readonly string[]) => some.map(readOrNull).filter((text) => text !== null);
  const all = [...new Set([...files, changed])];
  const voided = texts(all.filter((file) => !isGuards(file)))
    .map(whyVoid)
    .find((reason) => reason !== null);
  if (voided !== undefined) return voided;
  if (isGuards(changed) || env['CLAUDE_PLUGIN_ROOT'] !== undefined) return null;
  if (texts(all).some(guardsWrites)) return null;
  return "no settings file would hold guard's hooks any more.";
}

function readOrNull(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
