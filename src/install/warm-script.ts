/** `<state>/warm-hook`, which a project's committed line starts: it leads to the launcher of the recorded guard. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, replaceLink } from './program/whole-file.ts';
import { IN_STATE, launcherName } from './warm-line.ts';

/** If the launcher is gone, the command itself runs. */
const scriptFor = (file: string): string =>
  `# Made by guard init --warm.\ndo ${perlWord(file)};\nexec { $ARGV[0] } @ARGV;\n`;

/** File name of the launcher, in `dist` or in the state directory. */
export const launcherFile = (name: string, launcher = launcherName()): string =>
  launcher === 'warm' ? `${name}.pl` : name;

export function placeScript(
  state_dir: string,
  guard_root: string,
  is_wanted: boolean,
  launcher = launcherName(),
): void {
  const file = join(state_dir, launcherFile(IN_STATE, launcher));
  for (const name of [IN_STATE, `${IN_STATE}.pl`])
    if (!is_wanted || join(state_dir, name) !== file) rmSync(join(state_dir, name), { force: true });
  const target = join(guard_root, 'dist', launcherFile(launcher, launcher));
  if (is_wanted && launcher === 'warm') replaceFile(file, scriptFor(target), 0o600);
  else if (is_wanted) replaceLink(file, target);
}

const perlWord = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
