/** The client's own help, from which guard learns before it drafts whether the client has what a role needs. */
import { join } from 'node:path';

import { expect, inject } from 'vitest';

import { clientArgs, resuming, withBudget } from '../../../src/harness/client-call.ts';
import { flagsOf } from '../../../src/harness/client-flags.ts';
import { situation } from '../client/stage.ts';

const ROLE = {
  ...{ name: 'dev', file: 'dev.json', category: 'worker', prompt: 'x', tools: [], model: 'opus' },
} as unknown as Parameters<typeof clientArgs>[0]['role'];

situation(
  'names every flag with which guard starts an agent, and no other that guard would miss',
  ({ stage }) => {
    const args = clientArgs({
      ...{ id: 'claude-x', session: 'x', role: ROLE, access: 'readonly', hooks: {}, permissions: [] },
      guard: ['guard'],
    });
    const whole = [...withBudget(args, 1), ...resuming(args)];
    const needed = [...new Set(whole.filter((arg) => /^--[a-z-]+$/.test(arg)))];
    expect(needed).toEqual(
      expect.arrayContaining(['--session-id', '--resume', '--max-budget-usd', '--mcp-config']),
    );
    const dir = stage.dir();
    const { binary } = inject('client');
    const flags = flagsOf(join(dir), binary ?? '');
    expect(flags).not.toBeNull();
    expect(needed.filter((flag) => flags?.includes(flag) !== true)).toEqual([]);
    expect(flags).not.toContain('--no-such-flag');
    // Cached: the second lookup does not start the client.
    const before = performance.now();
    expect(flagsOf(dir, binary ?? '')).toEqual(flags);
    expect(performance.now() - before).toBeLessThan(100);
  },
);
