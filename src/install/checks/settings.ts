import { faultsElsewhere, newKeys, readModel, type SettingsModel } from '../../settings/model.ts';
import { checking, fail, type Finding, ok, type Patient, warn } from '../check.ts';
import { clientKeeps } from '../settings-trial.ts';
import type { SettingsSeen } from '../settings-seen.ts';

/** From a file that it rejects, the client takes no hooks, and with `-p` it does not report that. */
export const settings = checking('settings', (patient) => {
  const found = patient.settings.flatMap((seen) => judged(seen, patient));
  const files = patient.settings.filter(({ exists }) => exists).map(({ path }) => path);
  return found.length > 0 ? found : [ok('Claude Code can read every settings file', { facts: { files } })];
});

function judged(seen: SettingsSeen, patient: Patient): readonly Finding[] {
  const { path, fault, value } = seen;
  if (fault !== null) {
    const place = fault.place === null ? '' : `:${fault.place.line}:${fault.place.column}`;
    const hint = 'Correct the file: Claude Code ignores all of it, hooks included.';
    const facts = { file: path, reason: fault.reason };
    return [fail(`${path}${place}: ${fault.reason}`, { facts, hint })];
  }
  const model = readModel(JSON.stringify(value), patient.client.version);
  const dropped = model.faults.map(({ at, reason }) =>
    fail(`${path}, ${at}: ${reason}`, {
      facts: { file: path, at, reason },
      hint: 'Correct the entry: Claude Code drops the whole file for it, hooks included.',
    }),
  );
  const left_out = faultsElsewhere(model, patient.client.version).map(({ at, reason }) =>
    warn(`${path}, ${at}: ${reason}`, {
      facts: { file: path, at, reason },
      hint: 'Correct the entry: Claude Code leaves it out.',
    }),
  );
  return [...dropped, ...left_out, ...newer(path, model, patient)];
}

/** Settings newer than guard's own knowledge are tried with the client itself, outside of sessions. */
function newer(path: string, model: SettingsModel, patient: Patient): readonly Finding[] {
  const keys = newKeys(model);
  if (keys.length === 0 || model.faults.length > 0) return [];
  const { verdict, text } = clientKeeps(model, patient);
  const facts = { file: path, keys, trial: verdict };
  const message = `${path}: guard does not know ${keys.join(', ')}; ${text}`;
  if (verdict === 'runs') return [ok(message, { facts })];
  const hint = 'Check its spelling; a newer guard may know it.';
  return [(verdict === 'drops' ? fail : warn)(message, { facts, hint })];
}
