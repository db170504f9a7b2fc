/** Settings that the client would drop, along with guard's hooks: `guard init` refuses to write them. */
import { GuardError } from '../core/error.ts';
import { readModel } from '../settings/model.ts';
import type { Client } from './client.ts';
import type { InstallPlan } from './plan.ts';

/** @throws GuardError GUARD_ERR_SETTINGS, naming the value that the client rejects */
export function refuseDropped({ placed }: InstallPlan, { version }: Client): void {
  for (const { change, entry } of placed) {
    if (!entry.hooks || change.after === null) continue;
    const [fault] = readModel(change.after.toString('utf8'), version).faults;
    if (fault === undefined) continue;
    const file = change.found.path;
    throw new GuardError(
      'GUARD_ERR_SETTINGS',
      `${file} cannot be used: ${fault.at}: ${fault.reason}.`,
      'Claude Code drops such a file, with every hook in it. Nothing was changed: correct it, then run the command again.',
      { file, at: fault.at, reason: fault.reason },
    );
  }
}
