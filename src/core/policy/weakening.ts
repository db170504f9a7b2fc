/** Whether a change would leave a repository less guarded than it is; then only a person may make it. */
import { type Policy, POLICY_VALUES } from './values.ts';

/** `order` begins with the weakest. */
export const isWeakerIn = <T>(order: readonly T[], wanted: T, current: T): boolean =>
  order.indexOf(wanted) < order.indexOf(current);

export interface Guarding {
  /** The minimum the repository is held to, whatever its configuration says; `null`: none yet. */
  readonly floors: Pick<Policy, 'enforcement' | 'unread'> | null;
  /** guard's hooks by name: file, event and matcher. */
  readonly hooks: readonly string[];
}

/** A weaker preset, or one of guard's hooks would be missing (an old client on PATH, another scope). */
export function isLessGuarded(after: Guarding, before: Guarding): boolean {
  return areLower(after.floors, before.floors) || before.hooks.some((hook) => !after.hooks.includes(hook));
}

function areLower(after: Guarding['floors'], before: Guarding['floors']): boolean {
  if (after === null || before === null) return before !== null;
  return (
    isWeakerIn(POLICY_VALUES.enforcement, after.enforcement, before.enforcement) ||
    isWeakerIn(POLICY_VALUES.unread, after.unread, before.unread)
  );
}
