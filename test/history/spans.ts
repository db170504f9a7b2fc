import type { HeldSpan } from '../../src/history/span.ts';

export const span = (
  path: string,
  agent: string,
  from_ms: number,
  more: Partial<HeldSpan> = {},
): HeldSpan => ({
  ...{ path, agent, kind: 'hold', from_ms, from_lsn: from_ms, to_ms: from_ms + 10, ended_by: 'release' },
  ...more,
});
