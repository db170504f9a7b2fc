/** Debian's Chromium, without network access; each test launches a fresh one. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = [process.env['GUARD_CHROMIUM'] ?? '', ...PLACES].find(
  (path) => path !== '' && existsSync(path),
);

/** `null` if Chromium is not installed; with `GUARD_PAGE_REQUIRED=1` that is an error. */
export function chromiumHere(): string | null {
  if (found !== undefined) return found;
  if (process.env['GUARD_PAGE_REQUIRED'] === '1')
    throw new Error('GUARD_PAGE_REQUIRED=1, and there is no Chromium.');
  process.stderr.write('SKIPPED: the tests of the page need Chromium (apt-get install chromium).\n');
  return null;
}

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

export async function launched(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  onTestFinished(() => browser.close());
  return browser;
}
