import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../claude/driver.ts';
import { PACKAGE } from '../../install/scratch.ts';

const PAGE = join(PACKAGE, 'docs/simulate.md');
const EXAMPLE = /```console\n\$ guard simulate ([^\n]*)\n([^`]*)```/;

/** GUARD_UPDATE_DOCS=1 rewrites the page with the current output. */
it('docs/simulate.md shows what guard simulate prints, and its page', async () => {
  const page = fs.readFileSync(PAGE, 'utf8');
  const [, words = '', shown = ''] = EXAMPLE.exec(page) ?? [];
  const folders = words.split(' ');
  expect(folders.length).toBeGreaterThan(1);
  const at = scratch({ init: null });
  const { stdout } = at.guard('simulate', ...folders.map((one) => join(PACKAGE, one)), '--html', 'team.html');
  const html = at.read('team.html');
  // A pointer that rests on a name shows the id; everywhere else a reader meets names only.
  expect(html.replaceAll(/ title="[^"]*"/g, '')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  expect(html).toMatch(/<td class="name" title="claude-c91d7f62-[^"]*">[a-z]+-[a-z]+<\/td>/);
  expect(html).toContain('/<wbr>repo/<wbr>src/<wbr>routes.ts');
  if (process.env['GUARD_UPDATE_DOCS'] !== '1') {
    expect(shown).toBe(stdout);
    return;
  }
  fs.writeFileSync(
    PAGE,
    page.replace(EXAMPLE, () => `\`\`\`console\n$ guard simulate ${words}\n${stdout}\`\`\``),
  );
  await pictureOf(html);
});

/** docs/images/simulate.png, if Chromium is installed. */
async function pictureOf(html: string): Promise<void> {
  // Playwright takes seconds to load.
  const { chromiumHere, launched } = await import('../../page/chromium.ts');
  const program = chromiumHere();
  if (program === null) return;
  const tab = await (await launched(program)).newPage({ viewport: { width: 1120, height: 800 } });
  await tab.setContent(html);
  await tab.screenshot({ path: join(PACKAGE, 'docs/images/simulate.png'), fullPage: true });
}
