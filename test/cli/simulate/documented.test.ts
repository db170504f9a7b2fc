import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../claude/driver.ts';
import { PACKAGE } from '../../install/scratch.ts';

const PAGE = join(PACKAGE, 'docs/simulate.md');
const EXAMPLE = /```console\n\$ guard simulate ([^\n]*)\n([^`]*)```/;

/** GUARD_UPDATE_DOCS=1 rewrites the page with the current output. */
it('docs/simulate.md shows what guard simulate prints', () => {
  const page = fs.readFileSync(PAGE, 'utf8');
  const [, words = '', shown = ''] = EXAMPLE.exec(page) ?? [];
  const folders = words.split(' ');
  expect(folders.length).toBeGreaterThan(1);
  const { stdout } = scratch({ init: null }).guard('simulate', ...folders.map((one) => join(PACKAGE, one)));
  if (process.env['GUARD_UPDATE_DOCS'] === '1')
    fs.writeFileSync(
      PAGE,
      page.replace(EXAMPLE, () => `\`\`\`console\n$ guard simulate ${words}\n${stdout}\`\`\``),
    );
  else expect(shown).toBe(stdout);
});
