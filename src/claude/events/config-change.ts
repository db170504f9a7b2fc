/** ConfigChange: a settings change that removes or disables guard does not take effect in this session. */
import fs from 'node:fs';
import { readOff } from '../../install/off.ts';
import { SCOPES, settingsPath } from '../../install/scopes.ts';
import { readVetoPass } from '../../install/veto-pass.ts';
import { textField } from '../input.ts';
import { block, SILENT } from '../output.ts';
import type { HookOutput } from '../output.ts';
import type { Scene } from '../scene.ts';
import { guardsWrites, whyVoid } from '../settings-judge.ts';

export function configChange(scene: Scene): HookOutput {
  const { home, input, now } = scene;
  const file = textField(input.raw, 'file_path', 'filePath');
  if (file === '' || readOff(home.state_dir, now) !== null) return SILENT;
  if (readVetoPass(home.state_dir, file, now) !== null) return SILENT;
  const text = readOrNull(file);
  const reason = text === null ? whyUnguarded(scene) : (whyVoid(text) ?? whyUnguarded(scene));
  if (reason === null) return SILENT;
  return block(
    `This change of ${file} does not take effect while guard protects the repository: ${reason} ` +
      'A person can run "guard uninstall", or "guard off --for 10m", in a terminal.',
  );
}

/** Hooks of a plugin are in no settings file, so there a settings file cannot remove them. */
function whyUnguarded({ home, env }: Scene): string | null {
  if (env['CLAUDE_PLUGIN_ROOT'] !== undefined) return null;
  const roots = new Set([home.repo.root, env['CLAUDE_PROJECT_DIR'] ?? home.repo.root]);
  const files = [...roots].flatMap((root) => SCOPES.map((scope) => settingsPath(scope, root, env)));
  const texts = files.map(readOrNull).filter((text) => text !== null);
  return texts.some(guardsWrites) ? null : "no settings file would hold guard's hooks any more.";
}

function readOrNull(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
