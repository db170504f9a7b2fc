/** The page in a tab of its own, with a repository whose worktrees would conflict. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { scratch, type Scratch } from '../claude/driver.ts';
import { launched } from './chromium.ts';
import { type ServedPage, servePage } from './served.ts';
import type { Stage } from './stage.ts';
import { tellStory } from './story.ts';

export interface ShownPage {
  readonly tab: Page;
  readonly page: ServedPage;
  readonly stage: Stage;
  /** What the tab's console complains about. */
  readonly errors: readonly string[];
}

/** For a machine that is busy with other tests. */
const STEP_MS = 120_000;

export const WORKTREES = { tax: '0.25', vat: '0.19' };
export const IN_CONFLICT = 'src/core/tax.ts';

function divide(at: Scratch): void {
  at.put(IN_CONFLICT, 'export const rate = 0.2;\n');
  at.git('add', IN_CONFLICT);
  at.git('-c', 'user.name=ada', '-c', 'user.email=ada@shop.example', 'commit', '-qm', 'base');
  for (const [name, rate] of Object.entries(WORKTREES)) {
    const dir = join(dirname(at.root), name);
    at.git('worktree', 'add', '-q', '-b', name, dir);
    writeFileSync(join(dir, IN_CONFLICT), `export const rate = ${rate};\n`);
  }
}

export async function openTab(program: string): Promise<ShownPage> {
  const at = scratch();
  divide(at);
  const stage = tellStory(at);
  const page = await servePage(at);
  const browser = await launched(program);
  // The test injects axe into the page, which the page's own policy would forbid.
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, bypassCSP: true });
  const tab = await context.newPage();
  tab.setDefaultTimeout(STEP_MS);
  const errors: string[] = [];
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await tab.goto(`${page.url}/#${page.keys.issue()}`);
  await tab.waitForSelector('.timeline');
  await tab.waitForSelector('#denials');
  await tab.waitForSelector('#contention-table');
  return { tab, page, stage, errors };
}

/** The text of each cell of a table; one behind a graphic has to be open. */
export const cellsOf = (tab: Page, table: string): Promise<string[][]> =>
  tab.evaluate<string[][]>(`[...document.querySelectorAll('${table} tbody tr')].map((row) =>
    [...row.children].map((cell) => cell.textContent.trim()))`);

/** An attribute of each element. */
export const eachOf = (tab: Page, selector: string, name: string): Promise<string[]> =>
  tab.evaluate<string[]>(
    `[...document.querySelectorAll('${selector}')].map((one) => one.getAttribute('${name}'))`,
  );
