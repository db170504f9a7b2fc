/** The record that the page shows for a wait. */
import type { DenialNow } from '../core/needs/need.ts';
import type { Wait } from './wire.ts';

/** That with which it began, or the newest denial of what the agent wanted; `null` if neither is known. */
export const waitMoment = (
  { from, path, lsn }: Pick<Wait, 'from' | 'path' | 'lsn'>,
  denials: readonly Pick<DenialNow, 'agent' | 'paths' | 'lsn'>[],
): number | null =>
  lsn ?? denials.find(({ agent, paths }) => agent === from && paths.includes(path))?.lsn ?? null;
