/** Any earlier moment on the page: by slider, by lsn, by a row that leads to it, and by its address. */
import { expect } from 'vitest';
import { needsIn } from '../../src/core/needs/needs.ts';
import { age } from '../../src/core/time.ts';
import type { Present, SceneThen } from '../../src/page/wire.ts';
import { cellsOf, eachOf, type ShownPage } from './tab.ts';

const at = (nth: number): string => `.moment[data-nth="${nth}"]`;

export async function sliderShowsWhatWas({ tab, page }: ShownPage): Promise<void> {
  const nth = 40;
  await tab.locator('input[type=range]').fill(String(nth));
  await tab.waitForSelector(at(nth));
  const then = await page.get<SceneThen>(`/page/at?nth=${nth}`);
  expect(await tab.getAttribute('.moment', 'data-lsn')).toBe(String(then.lsn));
  const shown = (await cellsOf(tab, '#agents-table')).map(([, , held = '']) => held).join(' ');
  expect(then.scene.leases.length).toBeGreaterThan(0);
  for (const { path } of then.scene.leases.slice(0, 3)) expect(shown).toContain(path);
  expect(shown).not.toContain('src/live.ts');
  await tab.waitForFunction(`location.hash === '#lsn=${then.lsn}'`);
}

/** The last moment of the story, when all four waits were under way. */
export async function typedLsnShowsTheMoment({ tab, page }: ShownPage): Promise<void> {
  const { count } = await page.get<Present>('/page/now');
  const then = await page.get<SceneThen>(`/page/at?nth=${count - 3}`);
  const field = tab.locator('.lsn input');
  await field.fill(String(then.lsn));
  await field.press('Enter');
  await tab.waitForSelector(at(then.nth));
  const ages = then.scene.waits.map(({ since }) => age(then.at_ms - Date.parse(since ?? '')));
  expect((await tab.locator('#waits .lasts').allTextContents()).sort()).toEqual(ages.sort());
  const nameOf = (id: string): string => id;
  const { repository } = (await page.get<Present>('/page/now')).status;
  const told = {
    ...then.scene,
    denials: then.denials,
    repository,
    unjoined: [],
    other_clients: [],
    noticed: [],
  };
  const needs = needsIn({ told, now_ms: then.at_ms, nameOf, fullNameOf: nameOf });
  expect(needs.length).toBeGreaterThan(4);
  expect(await eachOf(tab, '.needs > ul > li', 'data-id')).toEqual(needs.map(({ id }) => id));
  await field.fill('0');
  await field.press('Enter');
  await tab.waitForSelector('.too-old[role=alert]');
  await tab.goBack();
  await tab.waitForSelector(at(then.nth));
}

/** By keyboard alone. */
export async function rowsLeadToTheirMoments({ tab, page }: ShownPage): Promise<void> {
  for (const row of [
    '.needs li[data-id*=cycle]',
    '#waits svg',
    '#waits-table tbody tr:last-child',
    '#denials li:last-child',
    '.needs li[data-id*=denied]',
    '#timeline-table tbody tr:first-child',
  ]) {
    const link = tab.locator(`${row} a.to-moment`).first();
    const lsn = (await link.getAttribute('data-lsn')) ?? '';
    await link.focus();
    await tab.keyboard.press('Enter');
    await tab.waitForSelector(`.moment[data-lsn="${lsn}"]`);
    expect(new URL(tab.url()).hash, row).toBe(`#lsn=${lsn}`);
  }
  const lsn = (await tab.getAttribute('.moment', 'data-lsn')) ?? '';
  await tab.reload();
  await tab.waitForSelector(`.moment[data-lsn="${lsn}"]`);
  const then = await page.get<SceneThen>(`/page/at?lsn=${lsn}`);
  expect(await tab.getAttribute('.moment', 'data-nth')).toBe(String(then.nth));
  await tab.click('.now');
  await tab.waitForFunction(`document.querySelector('#agents-table')?.textContent.includes('src/live.ts')`);
  await tab.waitForFunction(`location.hash === ''`);
}
