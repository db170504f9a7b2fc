/** The page over a long ledger. The figures in docs/page.md come from `GUARD_PAGE_RECORDS=100000`. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SceneThen } from '../../src/history/history.ts';
import { scratch } from '../claude/driver.ts';
import { findings } from './axe.ts';
import { chromiumHere, launched } from './chromium.ts';
import { writeLongLedger } from './long-ledger.ts';
import { servePage } from './served.ts';

const RECORDS = Number(process.env['GUARD_PAGE_RECORDS'] ?? 5_000);
const SEEKS = 20;
const STEPS = 10;
/** At 100,000 records on a busy machine, the first look takes half a minute. */
const LIMIT = { timeout: 120_000 + RECORDS * 6 };
const program = chromiumHere();

async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number; readonly cpu_ms: number }> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { value, ms: Math.round(performance.now() - begun), cpu_ms: Math.round((user + system) / 1_000) };
}

describe('a ledger of many records', () => {
  it('is read once, and any moment of it is found from then on', async () => {
    const at = scratch();
    writeLongLedger(at, RECORDS);
    const page = await servePage(at);
    globalThis.gc?.();
    const before = process.memoryUsage();
    const read = await timed(() =>
      page.get<{ count: number; bytes: number; is_whole: boolean }>('/page/history'),
    );
    expect(page.complaints).toEqual([]);
    expect(read.value).toMatchObject({ count: RECORDS, is_whole: true });
    globalThis.gc?.();
    const after = process.memoryUsage();
    const seeks: number[] = [];
    for (let nth = 0; nth < SEEKS; nth++) {
      const wanted = Math.floor(((nth * 7 + 3) % SEEKS) * (RECORDS / SEEKS)) + 30;
      const { value, cpu_ms } = await timed(() => page.get<SceneThen>(`/page/at?nth=${wanted}`));
      expect(value.nth).toBe(wanted);
      expect(value.scene.leases.length).toBeGreaterThan(0);
      seeks.push(cpu_ms);
    }
    const everything = '?from_ms=0&to_ms=9000000000000';
    const timeline = await timed(async () => (await page.ask(`/page/timeline${everything}`)).text());
    const contention = await timed(async () => (await page.ask(`/page/contention${everything}`)).text());
    expect(timeline.value.length).toBeLessThan(4_000_000);
    const mb = (bytes: number): number => Math.round(bytes / 1e6);
    process.stdout.write(
      `${JSON.stringify({
        records: RECORDS,
        read_ms: read.ms,
        read_cpu_ms: read.cpu_ms,
        packed_mb: mb(read.value.bytes),
        heap_mb: mb(after.heapUsed - before.heapUsed),
        seek_cpu_ms: { median: seeks.sort((a, b) => a - b)[SEEKS / 2], most: seeks.at(-1) },
        timeline: { cpu_ms: timeline.cpu_ms, kb: Math.round(timeline.value.length / 1e3) },
        contention_cpu_ms: contention.cpu_ms,
      })}\n`,
    );
  });

  it.skipIf(program === null)(
    'is on the screen, with nothing that axe finds, and follows the slider',
    LIMIT,
    async () => {
      const at = scratch();
      writeLongLedger(at, RECORDS);
      const page = await servePage(at);
      const browser = await launched(program ?? '');
      // The test injects axe into the page, which the page's own policy would forbid.
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, bypassCSP: true });
      const tab = await context.newPage();
      tab.setDefaultTimeout(LIMIT.timeout / 2);
      const load = async (): Promise<void> => {
        await tab.waitForSelector('#timeline-table', { state: 'attached' });
        await tab.waitForSelector('#denials');
      };
      const first = await timed(async () => {
        await tab.goto(`${page.url}/#${page.keys.issue()}`);
        await load();
      });
      const again = await timed(async () => {
        await tab.reload();
        await load();
      });
      const work = await workOf(tab);
      const seeks: number[] = [];
      for (let step = 1; step <= STEPS; step++) {
        const nth = Math.floor((RECORDS / (STEPS + 1)) * step);
        const { ms } = await timed(async () => {
          await tab.locator('input[type=range]').fill(String(nth));
          await tab.waitForSelector(`.moment[data-nth="${nth}"]`);
        });
        seeks.push(ms);
        const then = await page.get<SceneThen>(`/page/at?nth=${nth}`);
        expect(await tab.getAttribute('.moment', 'data-lsn')).toBe(String(then.lsn));
      }
      const sought = await work();
      // All of the time that is kept.
      await tab.locator('.stretches input').last().check();
      await tab.waitForTimeout(1_000);
      const whole = await work();
      await tab.mouse.move(700, 450);
      for (let step = 0; step < STEPS; step++) await tab.mouse.wheel(0, 400);
      const scrolled = await work();
      const heap = await tab.evaluate<number>('performance.memory.usedJSHeapSize');
      const found = await timed(() => findings(tab));
      expect(found.value).toEqual([]);
      expect(await tab.locator('#denials li').count()).toBeGreaterThan(0);
      expect(page.complaints).toEqual([]);
      process.stdout.write(
        `${JSON.stringify({
          ...{ records: RECORDS, first_load_ms: first.ms, reload_ms: again.ms },
          seek_ms: { median: seeks.sort((a, b) => a - b)[STEPS / 2], most: seeks.at(-1) },
          tab_heap_mb: Math.round(heap / 1e6),
          tab_work_ms: {
            each_seek: Math.round(sought / STEPS),
            whole: Math.round(whole),
            each_scroll: Math.round(scrolled / STEPS),
          },
          axe_ms: found.ms,
        })}\n`,
      );
    },
  );
});

/** Milliseconds that the tab's main thread was at work since the last call. */
async function workOf(tab: Page): Promise<() => Promise<number>> {
  const session = await tab.context().newCDPSession(tab);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1e3 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  let last = await now();
  return async () => {
    const before = last;
    last = await now();
    return last - before;
  };
}
