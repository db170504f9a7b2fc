/** What axe-core finds in a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** @param rules only these; absent: all */
export async function findings(tab: Page, rules?: readonly string[]): Promise<readonly Finding[]> {
  if (await tab.evaluate<boolean>(`typeof axe === 'undefined'`)) await tab.evaluate(AXE);
  return tab.evaluate(`axe.run(${JSON.stringify(rules === undefined ? {} : { runOnly: rules })}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`);
}
