/** A write of one file, as hooks report it, for ledgers without a repository. */
import type { EventOf } from '../../../src/core/decide.ts';
import type { Who } from '../../../src/core/rules/who.ts';
import type { Facts, Now, ProcessMark } from '../../../src/core/types.ts';
import { POLICY } from '../../core/world.ts';

export const agentNamed = (id: string, proc: ProcessMark | null = null): Who => ({
  ...{ id, kind: 'session', parent: null, session: id, proc },
});

export const factsAt = (now: Now): Facts => ({
  now,
  policy: { ...POLICY, enforcement: 'off' },
  machine: 'here',
  isDead: () => false,
  guard_command: 'guard',
});

export interface OneWrite {
  readonly op: string;
  readonly begin: (seen_touched: number) => EventOf<'write.begin'>;
  readonly end: EventOf<'write.end'>;
}

export function writeOf(given: {
  readonly agent: string;
  readonly op: string;
  readonly path: string;
  readonly proc?: ProcessMark | null;
}): OneWrite {
  const { agent, op, path, proc = null } = given;
  const common = { who: agentNamed(agent, proc), op, tool: 'Write' };
  const disk = { state: 'missing', digest: null, ctime_ms: 0 } as const;
  const target = { path, abs: `/r/${path}`, disk, form: null, baseline: null, objections: [] };
  const written = { path, digest: `sha-${op}`, content: 'as_expected' } as const;
  const original = ({ digest }: { readonly digest: string | null }) => (digest === null ? 'same' : 'other');
  return {
    op,
    begin: (seen_touched) => ({
      ...{ ...common, type: 'write.begin', home: null },
      targets: [{ ...target, seen_touched }],
    }),
    end: { ...common, type: 'write.end', written: [{ ...written, original }] },
  };
}
