/** Which tools a server offers, and that it speaks of no others. */
import { describe, expect, it } from 'vitest';
import { COORDINATION_NAMES, LOCK_TOOLS } from '../../src/core/lock-tools.ts';
import { scratch } from '../claude/driver.ts';
import { serve } from './client.ts';

const ALL: readonly string[] = [...LOCK_TOOLS, ...COORDINATION_NAMES];

describe('guard mcp --tools', () => {
  it.each([
    { args: [], served: ALL },
    { args: ['--tools', 'locks'], served: LOCK_TOOLS },
    { args: ['--tools', 'coordination'], served: COORDINATION_NAMES },
    { args: ['--tools', 'coordination, locks'], served: ALL },
  ] as { args: string[]; served: readonly string[] }[])(
    '$args serves exactly its tools, and explains no others',
    async ({ args, served }) => {
      const { client } = await serve(scratch(), {}, args);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(served);
      const words = (client.getInstructions() ?? '').match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
      const named = words.filter((word) => ALL.includes(word));
      expect(named.length).toBeGreaterThan(3);
      expect(named.filter((word) => !served.includes(word))).toEqual([]);
    },
  );

  it('tells the workflow of reserving, negotiating and answering', async () => {
    const { client } = await serve(scratch(), {}, ['--tools', 'coordination']);
    for (const tool of ['reserve_files', 'negotiate_release', 'respond_to_release', 'fetch_inbox'])
      expect(client.getInstructions()).toContain(tool);
  });

  it.each([['everything'], ['locks,harness'], ['locks,'], ['']])('%j is refused', (sets) => {
    expect(scratch().guard('mcp', '--tools', sets).exit).toBe(64);
  });

  it('has a role only for drafted agents', () => {
    expect(scratch().guard('mcp', '--role', 'dev').exit).toBe(64);
  });
});
