import { isAtLeast, TOLERATES_UNKNOWN_EVENTS } from '../client.ts';
import { fail, ok } from '../check.ts';
import type { Check, CheckResult, Patient } from '../check.ts';
import type { SettingsSeen } from '../settings-seen.ts';
import { EVENTS, OLD_EVENTS, shapeFaults } from '../settings-shape.ts';

/** A file that the client refuses has no hooks, and in `-p` nobody is told. */
export const settings: Check = {
  id: 'settings',
  run: (patient) => {
    const wrong = patient.settings.flatMap((seen) => faultsIn(seen, patient));
    const files = patient.settings.filter(({ exists }) => exists).map(({ path }) => path);
    return wrong.length > 0
      ? wrong
      : [ok('settings', 'Claude Code can read every settings file', { facts: { files } })];
  },
};

function faultsIn(seen: SettingsSeen, { client }: Patient): readonly CheckResult[] {
  const { path, fault } = seen;
  if (fault !== null) {
    const place = fault.place === null ? '' : `:${fault.place.line}:${fault.place.column}`;
    const hint = 'Correct the file: Claude Code ignores all of it, hooks included.';
    return [
      fail('settings', `${path}${place}: ${fault.reason}`, {
        facts: { file: path, reason: fault.reason },
        hint,
      }),
    ];
  }
  const known = isAtLeast(client, TOLERATES_UNKNOWN_EVENTS) ? EVENTS : OLD_EVENTS;
  return shapeFaults(seen.value, known).map(({ at, reason }) =>
    fail('settings', `${path}, ${at}: ${reason}`, {
      facts: { file: path, at, reason },
      hint: 'Correct the entry: Claude Code ignores it, and hooks beside it.',
    }),
  );
}
