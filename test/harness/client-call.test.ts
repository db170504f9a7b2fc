/** What a role's limits become when its client is started. */
import { describe, expect, it } from 'vitest';
import { clientArgs } from '../../src/harness/client-call.ts';
import { roleIn } from '../../src/harness/role-file.ts';

const role = (limits: object) => ({
  ...roleIn('r.json', 'r', JSON.stringify({ name: 'r', category: 'worker', prompt: 'x', limits })),
  changed_wall_ms: 0,
});

function settings(limits: object): unknown {
  const call = { id: 'claude-s', session: 's', access: 'readonly', hooks: {}, permissions: [] } as const;
  const args = clientArgs({ ...call, role: role(limits), guard: ['guard'] });
  return JSON.parse(args[args.indexOf('--settings') + 1] ?? '');
}

describe('the number of subagents that a role allows at a time', () => {
  it('is handed to the client, where nothing in the repository overrides it', () =>
    expect(settings({ subagents: 2 })).toMatchObject({
      env: { CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS: '2' },
    }));

  it.each([{}, { subagents: null }])('is the client’s own where the role has none: %j', (limits) =>
    expect(settings(limits)).not.toHaveProperty('env'),
  );

  it.each([0, -1, 1.5, '2'])('is refused as %j', (subagents) =>
    expect(() => role({ subagents })).toThrow(expect.objectContaining({ code: 'GUARD_ERR_INPUT' })),
  );
});
