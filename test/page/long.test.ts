/** The page over a long ledger. The figures in docs/page.md come from `GUARD_PAGE_RECORDS=100000`. */
import { expect, it, describe } from 'vitest';
import type { SceneThen } from '../../src/history/history.ts';
import { scratch } from '../claude/driver.ts';
import { chromiumHere, launched } from './chromium.ts';
import { writeLongLedger } from './long-ledger.ts';
import { servePage } from './served.ts';

const RECORDS = Number(process.env['GUARD_PAGE_RECORDS'] ?? 5_000);
const SEEKS = 20;
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

  it.skipIf(program === null || RECORDS < 100_000)('is on the screen', async () => {
    const at = scratch();
    writeLongLedger(at, RECORDS);
    const page = await servePage(at);
    const tab = await (await launched(program ?? '')).newPage({ viewport: { width: 1400, height: 900 } });
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
    const seek = await timed(async () => {
      await tab.locator('input[type=range]').fill(String(RECORDS / 2));
      await tab.waitForSelector(`.moment[data-nth="${RECORDS / 2}"]`);
    });
    await tab.locator('.stretches input').last().check();
    await tab.waitForTimeout(1_000);
    const heap = await tab.evaluate<number>('performance.memory.usedJSHeapSize');
    process.stdout.write(
      `${JSON.stringify({ first_load_ms: first.ms, reload_ms: again.ms, seek_ms: seek.ms, tab_heap_mb: Math.round(heap / 1e6) })}\n`,
    );
    expect(await tab.locator('#denials li').count()).toBeGreaterThan(0);
  });
});
