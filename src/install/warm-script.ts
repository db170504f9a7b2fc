/** `<state>/warm.pl`, which the committed line of a project starts: it runs the launcher of the guard that is on record. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from './program/whole-file.ts';

export const WARM_SCRIPT = 'warm.pl';

/** Where the launcher is gone, the command is what runs. */
const scriptFor = (file: string): string =>
  `# Made by guard init --warm.\ndo ${perlWord(file)};\nexec { $ARGV[0] } @ARGV;\n`;

export function placeScript(state_dir: string, guard_root: string, is_wanted: boolean): void {
  const file = join(state_dir, WARM_SCRIPT);
  if (is_wanted) replaceFile(file, scriptFor(join(guard_root, 'dist', WARM_SCRIPT)), 0o600);
  else rmSync(file, { force: true });
}

const perlWord = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
