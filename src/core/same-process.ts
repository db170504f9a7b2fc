/** Whether two marks name the same process. A pid means something only on its machine, in its boot and in its namespaces. Pure. */
import type { ProcessMark } from './types.ts';

/** What makes pids and start times comparable. */
export type PidPlace = Pick<ProcessMark, 'machine' | 'boot' | 'pid_ns'>;

const PLACE = ['machine', 'boot', 'pid_ns'] as const;

export const samePidPlace = (a: PidPlace, b: PidPlace): boolean => PLACE.every((part) => a[part] === b[part]);

export const sameProcess = (a: ProcessMark, b: ProcessMark): boolean =>
  a.pid === b.pid && a.start === b.start && samePidPlace(a, b);
