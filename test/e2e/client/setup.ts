import type {} from 'vitest';
import type { TestProject } from 'vitest/node';

import { type Client, installClient } from './install.ts';
import { findIsolation, type Isolation } from './isolation.ts';
import type { Part } from '../parts.ts';
import { unpackProduct } from './product.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    client: Client;
    isolation: Isolation;
    /** The package directory of the guard under test. */
    guard: string;
    /** What runs of all; null: everything. */
    part: Part | null;
    /** How many test files run, and how many there are. */
    chosen: number;
    all: number;
  }
}

/** Once per run: finds the client, the strongest network isolation, and guard as users get it. */
export default function setup(project: TestProject): () => void {
  const { part = null, chosen = 0, all = 0 } = project.config.provide;
  const partial =
    part === null
      ? ''
      : `\n!!! PART ${part.nth} OF ${part.of}: ${chosen} of ${all} files. "npm run test:e2e" without GUARD_E2E runs all of them.\n\n`;
  process.stderr.write(partial);
  const client = installClient();
  const isolation = findIsolation();
  if (client.missing !== null) {
    if (/^(?:1|all)$/.test(process.env['GUARD_E2E_REQUIRED'] ?? ''))
      throw new Error(`GUARD_E2E_REQUIRED: ${client.missing}`);
    process.stderr.write(`\n!!! SKIPPED: every test with the real client. ${client.missing}\n\n`);
  } else {
    process.stderr.write(`client ${client.version}, network: ${isolation.name}\n`);
  }
  const product = unpackProduct();
  project.provide('client', client);
  project.provide('isolation', isolation);
  project.provide('guard', product.root);
  return () => {
    product.dispose();
    process.stderr.write(partial);
  };
}
