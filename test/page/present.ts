/** What the page shows of the present, compared with what the server and the terminal's screen say. */
import { expect } from 'vitest';
import { boardOf } from '../../src/cli/board/board.ts';
import type { DirectoryContention } from '../../src/history/contention.ts';
import type { DenialSeen } from '../../src/history/denials.ts';
import type { Timeline } from '../../src/history/timeline.ts';
import type { Status } from '../../src/operations/status.ts';
import type { Present } from '../../src/page/wire.ts';
import { readNow } from '../../src/repo/clock.ts';
import { WAITS } from './story.ts';
import { cellsOf, eachOf, IN_CONFLICT, type ShownPage, WORKTREES } from './tab.ts';

const ALL_TIME = 'from_ms=0&to_ms=9000000000000';
const EVERYBODY = ['ada', 'brook', 'cleo', 'dario', 'esra'];

export async function waitsAreShown({ tab, page }: ShownPage): Promise<void> {
  const { status } = await page.get<Present>('/page/now');
  await tab.locator('#waits summary').click();
  await tab.waitForSelector('#waits-table tbody tr');
  const nameOf = new Map(status.agents.map(({ agent, name }) => [agent, name]));
  const shown = (await cellsOf(tab, '#waits-table')).map(([from, does, path, to]) => [from, does, path, to]);
  expect(shown).toEqual(
    status.waits.map(({ from, kind, path, to }) => [
      ...[nameOf.get(from), kind === 'wait' ? 'waits' : 'was refused', path, nameOf.get(to)],
    ]),
  );
  expect(shown.map(([, , path]) => path).sort()).toEqual(WAITS.map(([, path]) => path).sort());
  expect(await tab.locator('.edge.stuck').count()).toBe(4);
  const ages = await tab.locator('#waits .lasts').allTextContents();
  expect(ages).toHaveLength(WAITS.length);
  for (const age of ages) expect(age).toMatch(/^\d+[sm]$/);
}

/** The same rows as on the screen of `guard status`. */
export async function needsAreThoseOfTheScreen({ tab, page }: ShownPage): Promise<void> {
  // A row may begin or end between two looks.
  await expect
    .poll(
      async () => {
        const { status } = await page.get<{ status: Status }>('/page/now');
        const last_active_seconds = 0;
        const agents = status.agents.map((agent) => ({ ...agent, last_active_seconds }));
        const { sections } = boardOf({ ...status, agents }, readNow().wall_ms, true);
        const rows = sections.find(({ title }) => title === 'Needs attention')?.rows ?? [];
        expect(rows.length).toBeGreaterThan(4);
        expect(await eachOf(tab, '.needs > ul > li', 'data-id')).toEqual(rows.map(({ id }) => id));
        return rows.map(({ cells: [label] }) => label?.text);
      },
      { timeout: 30_000 },
    )
    .toEqual(expect.arrayContaining(['deadlock', 'waits', 'denied']));
  expect(await tab.textContent('.needs')).not.toMatch(/\d{4}-\d\d-\d\dT/);
}

export async function agentsAreShown({ tab, page }: ShownPage): Promise<void> {
  const { status } = await page.get<Present>('/page/now');
  const ids = await eachOf(tab, '#agents-table tbody tr', 'data-agent');
  expect(ids).toEqual(status.agents.map(({ agent }) => agent));
  const rows = new Map((await cellsOf(tab, '#agents-table')).map((cells, nth) => [ids[nth], cells]));
  const nameOf = (id: string) => status.agents.find(({ agent }) => agent === id)?.name ?? '';
  const [name, does, holds, heard] = rows.get('ada') ?? [];
  expect([name, holds]).toEqual([nameOf('ada'), 'src/cart/total.ts']);
  expect(does).toMatch(new RegExp(`^waits \\d+[sm] for ${nameOf('brook')}: src/core/money\\.ts$`));
  expect(heard).toMatch(/^\d+[sm] ago$/);
  expect(rows.get('brook')?.[1]).toBe('was refused src/cart/total.ts');
}

export async function timelineIsShown({ tab, page }: ShownPage): Promise<void> {
  await tab.locator('.spans label', { hasText: 'everything' }).click();
  await tab.locator('#timeline summary').click();
  await tab.waitForSelector('#timeline-table tbody tr');
  const { rows } = await page.get<Timeline>(`/page/timeline?${ALL_TIME}&rows=30`);
  expect(await eachOf(tab, '.timeline .labels li', 'title')).toEqual(rows.map(({ path }) => path));
  const bars = await cellsOf(tab, '#timeline-table');
  expect(bars.length).toBe(await tab.locator('.timeline .span').count());
  expect(bars.length).toBeGreaterThanOrEqual(rows.length);
  const pricing = bars.filter(([path]) => path === 'docs/pricing.md').at(-2);
  expect([pricing?.[2], pricing?.[5]]).toEqual(['held', 'not ended']);
  expect(await tab.locator('.timeline .mark.denial').count()).toBeGreaterThan(2);
  expect(await eachOf(tab, '.people li', 'data-agent').then((ids) => ids.sort())).toEqual(EVERYBODY);
  const words = (await tab.textContent('#timeline-words')) ?? '';
  expect(words).toMatch(new RegExp(`^${rows.length} files, .* The table below has ${bars.length} locks`));
}

export async function contentionAndDenialsAreShown({ tab, page }: ShownPage): Promise<void> {
  const { directories } = await page.get<{ directories: readonly DirectoryContention[] }>(
    `/page/contention?${ALL_TIME}&depth=2`,
  );
  const sumOf = (value: number): string => (value === 0 ? '–' : String(value));
  const shown = (await cellsOf(tab, '#contention-table')).map(([directory, , ...rest]) => [
    directory,
    ...rest,
  ]);
  expect(shown.sort()).toEqual(
    directories
      .map((one) => [one.directory, sumOf(one.denials), sumOf(one.writes), String(one.agents)])
      .sort(),
  );
  expect(shown).toContainEqual([
    'src/cart',
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d+$/),
    '5',
  ]);
  const { denials } = await page.get<{ denials: readonly DenialSeen[] }>(`/page/denials?${ALL_TIME}`);
  expect(await eachOf(tab, '#denials li', 'data-lsn')).toEqual(denials.map(({ lsn }) => String(lsn)));
}

export async function forecastIsShown({ tab }: ShownPage): Promise<void> {
  await tab.click('#forecast button');
  await tab.waitForSelector('#forecast-table');
  expect(await cellsOf(tab, '#forecast-table')).toEqual([[...Object.keys(WORKTREES), IN_CONFLICT]]);
  expect(await tab.textContent('#forecast [role=status]')).toContain('3 checkouts');
}

export async function newsIsHeardAndShown({ tab, stage }: ShownPage): Promise<void> {
  stage.lock('esra', 'src/live.ts');
  await tab.waitForFunction(`document.querySelector('#agents-table')?.textContent.includes('src/live.ts')`);
  expect(await tab.getAttribute('#news', 'role')).toBe('status');
  expect(await tab.textContent('#news')).not.toContain('src/heard.ts');
  stage.stale('esra', 'src/heard.ts', 'one\n', 'two\n');
  await tab.waitForFunction(
    `/^denied: .*STALE_FILE, src\\/heard\\.ts$/.test(document.querySelector('#news').textContent)`,
  );
}
