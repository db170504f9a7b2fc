/** The page of `guard simulate --html`. It may replace only an earlier one: a typing mistake must not cost a file. */
import fs from 'node:fs';
import { GuardError } from '../../core/error.ts';
import { errnoOf } from '../../repo/errno.ts';

const TITLE = '<title>guard simulate</title>';

/** @throws GuardError GUARD_ERR_USAGE if it would replace another file, GUARD_ERR_IO */
export function writePage(file: string, html: string): void {
  try {
    const before = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    if (before !== '' && !before.includes(TITLE)) throw notAPage(file);
    fs.writeFileSync(file, html);
  } catch (error) {
    if (error instanceof GuardError) throw error;
    const message = `${file} cannot be written (${errnoOf(error)}).`;
    throw new GuardError('GUARD_ERR_IO', message, 'Name another file after --html.', { file }, error);
  }
}

const notAPage = (file: string): GuardError =>
  new GuardError(
    'GUARD_ERR_USAGE',
    `${file} exists and is not a page of guard simulate.`,
    'Use another name after --html, or remove that file first.',
    { field: '--html', file },
  );
