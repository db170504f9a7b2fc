/** man/guard.1 is generated from the command definitions. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { completionPlaces } from '../../src/cli/completion/tree.ts';
import { PACKAGE } from '../install/scratch.ts';
import { manualPage } from './manual-page.ts';
import { SILENT_SHELL } from '../cli/silent-shell.ts';

const FILE = join(PACKAGE, 'man/guard.1');
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

describe('the manual page', () => {
  it('matches the command definitions', async () => {
    const page = manualPage({
      version,
      rows: COMMANDS,
      places: await completionPlaces(COMMANDS, SILENT_SHELL),
    });
    if (process.env['GUARD_UPDATE_DOCS'] !== undefined) {
      mkdirSync(dirname(FILE), { recursive: true });
      writeFileSync(FILE, page);
    }
    expect(readFileSync(FILE, 'utf8')).toBe(page);
  });

  it.skipIf(!has('groff'))('formats without a roff warning', () => {
    const made = spawnSync('groff', ['-man', '-Tascii', '-P-cbou', '-ww', '-rLL=78n', FILE], {
      encoding: 'utf8',
    });
    expect(made.stderr).toBe('');
    expect(made.stdout).toContain('guard lock wait');
  });
});
