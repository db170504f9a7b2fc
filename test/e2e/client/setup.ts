import type {} from 'vitest';
import type { TestProject } from 'vitest/node';

import { type Client, installClient } from './install.ts';
import { findIsolation, type Isolation } from './isolation.ts';
import { unpackProduct } from './product.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    client: Client;
    isolation: Isolation;
    /** The package directory of the guard under test. */
    guard: string;
  }
}

/** Once per run: finds the client, the strongest network isolation, and guard as users get it. */
export default function setup(project: TestProject): () => void {
  const client = installClient();
  const isolation = findIsolation();
  if (client.missing !== null) {
    if (process.env['GUARD_E2E_REQUIRED'] === '1') throw new Error(`GUARD_E2E_REQUIRED: ${client.missing}`);
    process.stderr.write(`\n!!! SKIPPED: every test with the real client. ${client.missing}\n\n`);
  } else {
    process.stderr.write(`client ${client.version}, network: ${isolation.name}\n`);
  }
  const product = unpackProduct();
  project.provide('client', client);
  project.provide('isolation', isolation);
  project.provide('guard', product.root);
  return () => product.dispose();
}
