/** The page in a real browser. Every assertion is on its text, none on its looks. */
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SceneThen } from '../../src/history/history.ts';
import { digestBytes } from '../../src/repo/digest.ts';
import { PACKAGE, scratch } from '../claude/driver.ts';
import { findings } from './axe.ts';
import { chromiumHere, launched } from './chromium.ts';
import { type ServedPage, servePage } from './served.ts';
import { AFTER, BEFORE, tellStory, WAITS } from './story.ts';

const program = chromiumHere();
async function opened(
  browser: Browser,
  page: ServedPage,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<Page> {
  // The test injects axe into the page, which the page's own policy would forbid.
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    colorScheme,
    bypassCSP: true,
  });
  const tab = await context.newPage();
  await tab.goto(`${page.url}/#${page.keys.issue()}`);
  await tab.waitForSelector('#timeline-table', { state: 'attached' });
  await tab.waitForSelector('#denials');
  return tab;
}

const cellsOf = (tab: Page, table: string): Promise<string[][]> =>
  tab.evaluate<string[][]>(`[...document.querySelectorAll('${table} tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim()))`);

describe.skipIf(program === null)('the page in Chromium', () => {
  it('shows what the ledger says, live, and any earlier moment of it', async () => {
    const at = scratch();
    const stage = tellStory(at);
    const page = await servePage(at);
    const browser = await launched(program ?? '');
    const tab = await opened(browser, page);
    const errors: string[] = [];
    tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    expect(new URL(tab.url()).hash).toBe('');

    const waits = await cellsOf(tab, '#waits-table');
    expect(waits.map(([, , path]) => path).sort()).toEqual(WAITS.map(([, path]) => path).sort());
    expect(await tab.textContent('.needs')).toContain('Deadlock:');
    expect(await tab.locator('.edge.stuck').count()).toBe(4);
    const holds = await cellsOf(tab, '#agents-table');
    expect(holds.map(([, , held]) => held)).toContain('docs/pricing.md');

    stage.lock('esra', 'src/live.ts');
    await tab.waitForFunction(`document.querySelector('#agents-table')?.textContent.includes('src/live.ts')`);

    const slider = tab.locator('input[type=range]');
    const nth = 40;
    await slider.fill(String(nth));
    await tab.waitForSelector(`.moment[data-nth="${nth}"]`);
    const then = await page.get<SceneThen>(`/page/at?nth=${nth}`);
    expect(await tab.getAttribute('.moment', 'data-lsn')).toBe(String(then.lsn));
    const shown = (await cellsOf(tab, '#agents-table')).map(([, , held = '']) => held).join(' ');
    expect(then.scene.leases.length).toBeGreaterThan(0);
    for (const { path } of then.scene.leases.slice(0, 3)) expect(shown).toContain(path);
    expect(shown).not.toContain('src/live.ts');
    await tab.click('.now');
    await tab.waitForFunction(`document.querySelector('#agents-table')?.textContent.includes('src/live.ts')`);
    expect(errors).toEqual([]);
    expect(page.complaints).toEqual([]);
  });

  it('shows a denial with what differs, and believes no content that is not what its digest says', async () => {
    const at = scratch();
    tellStory(at);
    const page = await servePage(at);
    const tab = await opened(await launched(program ?? ''), page);
    const denial = tab.locator('#denials li', { hasText: 'STALE_FILE' });
    const forged = Buffer.from('forged\n').toString('base64');
    const found = digestBytes(Buffer.from(AFTER));
    await tab.route(`**/page/content?digest=${found}`, (route) =>
      route.fulfill({ json: { digest: found, state: 'kept', bytes: forged } }),
    );
    await denial.locator('summary').click();
    await denial.locator('.digest.false').waitFor();
    expect(await denial.textContent()).not.toContain('forged');
    await tab.unroute(`**/page/content?digest=${found}`);
    await denial.locator('summary').click();
    await denial.locator('summary').click();
    await denial.locator('.diff').waitFor();
    const shown = await denial.locator('.digest.verified').all();
    const digests = await Promise.all(shown.map((one) => one.getAttribute('data-digest')));
    expect(digests).toEqual([BEFORE, AFTER].map((text) => digestBytes(Buffer.from(text))));
    const linesOf = (kind: string) => denial.locator(`.diff .${kind}`).allTextContents();
    const of = (lines: string[], sign: string) => lines.map((line) => line.trimEnd().replace(sign, ''));
    expect(of(await linesOf('gone'), '- ')).toEqual(
      BEFORE.split('\n').filter((line) => line !== '' && !AFTER.includes(line)),
    );
    expect(of(await linesOf('new'), '+ ')).toEqual(
      AFTER.split('\n').filter((line) => line !== '' && !BEFORE.includes(line)),
    );
  });

  it('has nothing that axe finds, light or dark, with everything open, and is walked by keyboard alone', async () => {
    const at = scratch();
    tellStory(at);
    const page = await servePage(at);
    const browser = await launched(program ?? '');
    for (const scheme of ['light', 'dark'] as const) {
      const tab = await opened(browser, page, scheme);
      if (process.env['GUARD_UPDATE_DOCS'] !== undefined) {
        // Keep this machine's path and directory name out of the screenshots.
        await tab.evaluate(`document.querySelector('.title .path').textContent = '/home/ada/shop'`);
        await tab.evaluate(`document.querySelector('h1').lastChild.textContent = 'shop'`);
        await tab.screenshot({ path: join(PACKAGE, `docs/page/${scheme}.png`), fullPage: true });
      }
      await tab.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
      expect(await findings(tab), scheme).toEqual([]);
      const back = await tab.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      await tab.selectOption('.theme select', scheme === 'light' ? 'dark' : 'light');
      await tab.waitForFunction(`getComputedStyle(document.body).backgroundColor !== '${back}'`);
      expect(await findings(tab), `${scheme}, switched`).toEqual([]);
      await tab.selectOption('.theme select', 'system');
    }
    const tab = await opened(browser, page);
    const walked: string[] = [];
    for (let step = 0; step < 60 && !walked.includes('Look ahead'); step++) {
      await tab.keyboard.press('Tab');
      walked.push(
        await tab.evaluate<string>(`(({ activeElement: now }) => (now?.getAttribute('aria-label') ??
          now?.closest('label')?.textContent ?? now?.textContent ?? '').trim())(document)`),
      );
      if (walked.at(-1) === 'Moment that is shown') {
        await tab.keyboard.press('ArrowLeft');
        await tab.waitForSelector('.moment[data-nth]:not([data-nth=""])');
      }
      if (walked.at(-1) === 'As a table' && walked.filter((one) => one === 'As a table').length === 1) {
        await tab.keyboard.press('Enter');
        expect(await tab.locator('#waits-table').isVisible()).toBe(true);
      }
    }
    expect(walked[0]).toBe('Skip to who waits for whom');
    expect(walked).toContain('Look ahead');
    expect(walked.filter((one) => one === 'As a table')).toHaveLength(2);
    expect(walked.join(' ')).toContain('STALE_FILE');
  });
});
