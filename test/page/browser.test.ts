/** The page in a real browser, in one tab: opening it for each situation took two thirds of the processor time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { digestBytes } from '../../src/repo/digest.ts';
import { PACKAGE } from '../claude/driver.ts';
import { findings } from './axe.ts';
import { chromiumHere } from './chromium.ts';
import { rowsLeadToTheirMoments, sliderShowsWhatWas, typedLsnShowsTheMoment } from './moments.ts';
import {
  agentsAreShown,
  contentionAndDenialsAreShown,
  forecastIsShown,
  needsAreThoseOfTheScreen,
  newsIsHeardAndShown,
  timelineIsShown,
  waitsAreShown,
} from './present.ts';
import { AFTER, BEFORE } from './story.ts';
import { openTab, type ShownPage } from './tab.ts';

const program = chromiumHere();
const WIDTHS = [1400, 768, 390];
/** Half a minute of processor time, which took more than two minutes at a load of 40. */
const LIMIT = { timeout: 480_000 };

describe.skipIf(program === null)('the page in Chromium', () => {
  it(
    'shows the ledger live and at any moment, believes no content but by its digest, and is for everybody',
    LIMIT,
    async () => {
      const shown = await openTab(program ?? '');
      expect(new URL(shown.tab.url()).hash).toBe('');
      await needsAreThoseOfTheScreen(shown);
      await agentsAreShown(shown);
      await forecastIsShown(shown);
      await believesNoFalseContent(shown);
      if (process.env['GUARD_UPDATE_DOCS'] !== undefined) await takeScreenshots(shown);
      await waitsAreShown(shown);
      await timelineIsShown(shown);
      await contentionAndDenialsAreShown(shown);
      await passesAxe(shown);
      await newsIsHeardAndShown(shown);
      await sliderShowsWhatWas(shown);
      await typedLsnShowsTheMoment(shown);
      await rowsLeadToTheirMoments(shown);
      await isWalkedByKeyboard(shown);
      expect(shown.errors).toEqual([]);
      expect(shown.page.complaints).toEqual([]);
    },
  );
});

/** Leaves the difference open. */
async function believesNoFalseContent({ tab }: ShownPage): Promise<void> {
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
}

/** With everything open, at each width, light and dark. */
async function passesAxe({ tab }: ShownPage): Promise<void> {
  await tab.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
  // Many similar rows take axe half of its time, and a dark page differs in nothing but its colors.
  await tab.fill('#timeline input[type=search]', 'src/cart');
  await tab.waitForFunction(`document.querySelectorAll('.timeline .labels li').length === 3`);
  const backs = new Set<string>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await tab.setViewportSize({ width, height: 900 });
      const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      expect(await findings(tab, rules), `${colorScheme}, ${width}`).toEqual([]);
      expect(await tab.evaluate('document.documentElement.scrollWidth'), `${width}`).toBeLessThanOrEqual(
        width,
      );
    }
    backs.add(await backOf(tab));
  }
  await tab.selectOption('.theme select', 'light');
  await tab.waitForFunction(`document.documentElement.dataset.theme === 'light'`);
  backs.add(await backOf(tab));
  expect(backs.size).toBe(2);
  await tab.setViewportSize({ width: 1400, height: 900 });
  await tab.fill('#timeline input[type=search]', '');
}

const backOf = (tab: Page): Promise<string> =>
  tab.evaluate<string>('getComputedStyle(document.body).backgroundColor');

async function isWalkedByKeyboard({ tab }: ShownPage): Promise<void> {
  await tab.waitForSelector('#denials');
  await tab.locator('.skip').focus();
  await tab.keyboard.press('Enter');
  expect(await tab.evaluate('document.activeElement.id')).toBe('waits');
  await tab.locator('.skip').focus();
  const walked = ['Skip to who waits for whom'];
  for (let step = 0; step < 120 && !walked.includes('Look ahead'); step++) {
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
  for (const control of ['Go to an lsn', 'Look ahead']) expect(walked).toContain(control);
  expect(walked.filter((one) => one === 'As a table')).toHaveLength(2);
  expect(walked.join(' ')).toContain('STALE_FILE');
}

/** The present with a difference and a forecast; an earlier moment, dark. As WebP, which is a third of a PNG. */
async function takeScreenshots({ tab }: ShownPage): Promise<void> {
  // Keep this machine's path and directory name out of the screenshots.
  await tab.evaluate(`document.querySelector('.title .path').textContent = '/home/ada/shop'`);
  await tab.evaluate(`document.querySelector('h1').lastChild.textContent = 'shop'`);
  await screenshot(tab, 'light');
  await tab.emulateMedia({ colorScheme: 'dark' });
  await tab.locator('input[type=range]').fill('118');
  await tab.waitForSelector('.moment[data-nth="118"]');
  await tab.waitForTimeout(1_000);
  await screenshot(tab, 'dark');
  await tab.click('.now');
  await tab.emulateMedia({ colorScheme: 'light' });
}

async function screenshot(tab: Page, name: string): Promise<void> {
  await tab.evaluate('scrollTo(0, 0)');
  const session = await tab.context().newCDPSession(tab);
  const size = await tab.evaluate<{ width: number; height: number }>(
    '({ width: innerWidth, height: document.documentElement.scrollHeight })',
  );
  const { data } = await session.send('Page.captureScreenshot', {
    ...{ format: 'webp', quality: 82, captureBeyondViewport: true, clip: { x: 0, y: 0, scale: 1, ...size } },
  });
  writeFileSync(join(PACKAGE, `docs/page/${name}.webp`), Buffer.from(data, 'base64'));
}
