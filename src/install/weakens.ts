/** Whether carrying out a plan would leave the repository less guarded than it is (core/policy/weakening.ts). */
import { type Guarding, isLessGuarded } from '../core/policy/weakening.ts';
import type { FileChange } from './file-change.ts';
import { guardLines } from './hook-lines.ts';
import type { InstallPlan, InstallRecord } from './plan.ts';
import { settingsIn } from './settings-text.ts';

export function weakens({ changes, record }: InstallPlan, on_record: InstallRecord | null): boolean {
  const hooksOf = (bytes: (change: FileChange) => Buffer | null): string[] =>
    changes.flatMap((change, nth) => hooked(bytes(change)).map((hook) => `${nth} ${hook}`));
  return isLessGuarded(
    { floors: floorsOf(record), hooks: hooksOf(({ after }) => after) },
    { floors: on_record && floorsOf(on_record), hooks: hooksOf(({ found }) => found.bytes) },
  );
}

const floorsOf = ({ enforcement_floor, unread_floor }: InstallRecord): Guarding['floors'] => ({
  enforcement: enforcement_floor,
  unread: unread_floor,
});

/** Event and matcher of each hook; none for a file that is not a settings file. */
const hooked = (bytes: Buffer | null): readonly string[] =>
  guardLines(settingsIn(bytes)).map(({ event, matcher }) => `${event} ${matcher ?? ''}`);
