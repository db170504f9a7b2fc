/** Settings that the client would drop, and guard's hooks with them: `guard init` puts nothing there. */
import { GuardError } from '../core/error.ts';
import { readModel } from '../settings/model.ts';
import type { ShapeFault } from '../settings/shape.ts';
import type { Client } from './client.ts';
import type { InstallPlan } from './plan.ts';
import type { SettingsSeen } from './settings-seen.ts';

/** @throws GuardError GUARD_ERR_SETTINGS with the value that the client refuses */
export function refuseDropped({ placed }: InstallPlan, { version }: Client): void {
  for (const { change, entry } of placed) {
    if (!entry.hooks || change.after === null) continue;
    const fault = firstFault(change.after.toString('utf8'), version);
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

/** Other files that the client drops: guard's hooks are not in them, their rules and variables are. */
export function droppedNotes(
  seen: readonly SettingsSeen[],
  plan: InstallPlan,
  client: Client,
): readonly string[] {
  const own = plan.placed.filter(({ entry }) => entry.hooks).map(({ change }) => change.found.path);
  return seen
    .filter(({ path, exists }) => exists && !own.includes(path))
    .flatMap(({ path, value, fault }) => {
      const reason = fault?.reason ?? spelled(firstFault(JSON.stringify(value), client.version));
      return reason === null ? [] : [`Warning: Claude Code drops ${path}: ${reason}.`];
    });
}

const firstFault = (text: string, version: string | null): ShapeFault | undefined =>
  readModel(text, version).faults[0];

const spelled = (fault: ShapeFault | undefined): string | null =>
  fault === undefined ? null : `${fault.at}: ${fault.reason}`;
