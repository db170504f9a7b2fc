/** Whether running a plan would leave the repository less guarded than it is: then a person must run it. */
import { KEYS } from '../config/schema.ts';
import type { FileChange } from './file-change.ts';
import { guardLines } from './hook-lines.ts';
import type { InstallPlan, InstallRecord } from './plan.ts';
import { readSettingsText, SettingsFault } from './settings-text.ts';

/** A weaker preset, or a hook of guard that is gone afterwards (an old client on PATH, another scope). */
export function weakens(plan: InstallPlan, on_record: InstallRecord | null): boolean {
  return isWeaker(plan.record, on_record) || plan.changes.some(losesHooks);
}

function isWeaker(record: InstallRecord, on_record: InstallRecord | null): boolean {
  if (on_record === null) return false;
  return (
    KEYS.enforcement.isWeaker(record.enforcement_floor, on_record.enforcement_floor) ||
    KEYS.unread.isWeaker(record.unread_floor, on_record.unread_floor)
  );
}

function losesHooks({ found, after }: FileChange): boolean {
  const kept = hooked(after);
  return hooked(found.bytes).some((hook) => !kept.includes(hook));
}

/** Event and matcher of each hook; none for a file that is no settings file. */
function hooked(bytes: Buffer | null): readonly string[] {
  const read = readSettingsText(bytes ?? Buffer.alloc(0));
  if (read instanceof SettingsFault) return [];
  return guardLines(read.value).map(({ event, matcher }) => `${event} ${matcher ?? ''}`);
}
