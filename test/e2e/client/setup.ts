import type {} from 'vitest';
import type { TestProject } from 'vitest/node';

import { installClient } from './install.ts';
import type { Client } from './install.ts';
import { findIsolation } from './isolation.ts';
import type { Isolation } from './isolation.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    client: Client;
    isolation: Isolation;
  }
}

/** Once per run: the client, and how far it can be cut off from the network. */
export default function setup(project: TestProject): void {
  const client = installClient();
  const isolation = findIsolation();
  if (client.missing !== null) {
    if (process.env['GUARD_E2E_REQUIRED'] === '1') throw new Error(`GUARD_E2E_REQUIRED: ${client.missing}`);
    process.stderr.write(`\n!!! SKIPPED: every test with the real client. ${client.missing}\n\n`);
  } else {
    process.stderr.write(`client ${client.version}, network: ${isolation.name}\n`);
  }
  project.provide('client', client);
  project.provide('isolation', isolation);
}
