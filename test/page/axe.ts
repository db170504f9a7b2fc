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
export const findings = (tab: Page, rules?: readonly string[]): Promise<readonly Finding[]> =>
  tab.evaluate(`${AXE}; axe.run(${JSON.stringify(rules === undefined ? {} : { runOnly: rules })}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`);
