/** Which tools a server offers, and that its texts mention no others. */
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

  it.each([['everything'], ['locks,all'], ['locks,'], ['']])('%j is refused', (sets) => {
    expect(scratch().guard('mcp', '--tools', sets).exit).toBe(64);
  });

  it('has a role only for drafted agents', () => {
    expect(scratch().guard('mcp', '--role', 'dev').exit).toBe(64);
  });
});

describe('the list of tools', () => {
  it('costs a model under 9,000 characters, and says who calls nowhere', async () => {
    const { client } = await serve(scratch());
    const { tools } = await client.listTools();
    expect(JSON.stringify({ tools }).length).toBeLessThan(9_000);
    expect(JSON.stringify(tools)).not.toMatch(/"_agent"|"_cwd"/);
    for (const { outputSchema } of tools)
      expect(outputSchema?.required).toEqual(Object.keys(outputSchema?.properties ?? {}));
    expect(tools.filter(({ outputSchema }) => (outputSchema?.required ?? []).length === 0)).toEqual([]);
  });

  it('tells giving files back by path from giving reservations back by id', async () => {
    const { client } = await serve(scratch());
    const { tools } = await client.listTools();
    const about = (name: string) => tools.find((tool) => tool.name === name)?.description;
    expect(about('lock_release')).toMatch(/by path.*release_files.*by id/);
    expect(about('release_files')).toMatch(/by id, not by path.*lock_release/);
  });

  it('has every value that a choice may have', async () => {
    const { client } = await serve(scratch());
    const { tools } = await client.listTools();
    const enumOf = (name: string, field: string) =>
      (tools.find((tool) => tool.name === name)?.inputSchema.properties?.[field] as { enum?: string[] }).enum;
    expect(enumOf('send_message', 'importance')).toEqual(['low', 'normal', 'high', 'urgent']);
    expect(enumOf('negotiate_release', 'urgency')).toEqual(['normal', 'urgent']);
    expect(enumOf('respond_to_release', 'action')).toEqual(['release', 'defer']);
  });
});

describe('an answer', () => {
  it('is the same as text and as data', async () => {
    const { client, seal } = await serve(scratch());
    const call = async (name: string, input: object) => {
      const _agent = seal('claude-a', name);
      const { content, structuredContent } = await client.callTool({ name, arguments: { ...input, _agent } });
      return [JSON.parse((content as { text: string }[])[0]?.text ?? ''), structuredContent] as unknown[];
    };
    const [text, data] = await call('lock_try', { filepaths: ['a'] });
    expect(data).toEqual(text);
    const [list, named] = await call('list_agents', {});
    expect(named).toEqual({ agents: list });
  });

  it.each([
    ['lock_status', { filepaths: [] }],
    ['reserve_files', { patterns: ['x'], reason: 'r' }],
    ['my_reservations', {}],
    ['fetch_inbox', {}],
  ])('of %s says whose it is where nobody said who calls', async (name, input) => {
    const { client } = await serve(scratch());
    const { structuredContent } = await client.callTool({ name, arguments: input });
    const note = expect.stringContaining('guard does not know which agent called') as string;
    expect(structuredContent).toMatchObject({ agent: expect.any(String) as string, notes: [note] });
  });
});
