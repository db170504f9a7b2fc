import type { Command } from 'commander';
import type { CheckResult, Patient } from '../../install/check.ts';
import { examine, isHealthy, runChecks } from '../../install/doctor.ts';
import { codexTrust } from '../../install/hosts/codex-trust.ts';
import { hostsSetUp } from '../../install/hosts/set-up.ts';
import { findEngine } from '../../install/seen-engine.ts';
import { repair, type Repaired } from '../../install/repairs.ts';
import { act } from '../act.ts';
import { EXIT } from '../exit.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';
import { checkLines } from '../view/check-lines.ts';
import { withProgress } from '../view/progress-bar.ts';

interface DoctorOptions {
  readonly fix?: true;
  readonly quarantine?: true;
  readonly json?: true;
}

const NOTHING: Repaired = { done: [], failed: [] };

export function define(command: Command, shell: Shell): void {
  command
    .option('--fix', 'repair what can be repaired safely')
    .option('--quarantine', 'with --fix: continue without damaged ledger records, which are kept aside')
    .option('--json', 'print the results as JSON');
  act<DoctorOptions>(command, shell, ({ options }) => {
    if (options.quarantine === true && options.fix !== true)
      command.error("error: '--quarantine' requires '--fix'");
    return doctor(options, shell);
  });
}

async function doctor(options: DoctorOptions, shell: Shell) {
  if (options.fix === true) requirePerson('guard doctor --fix', shell.env);
  const looked = async () => {
    const seen = examine(shell.cwd, shell.env);
    const asksCodex = hostsSetUp(seen).some(({ name }) => name === 'codex');
    const codex = asksCodex ? await codexTrust(seen.repo.root, seen.env) : null;
    return { ...seen, codex, engine: await findEngine(seen.repo, seen.env) };
  };
  const checked = (patient: Patient) =>
    withProgress(shell, options, (onRead) => runChecks({ ...patient, onRead }));
  const patient = await looked();
  const first = checked(patient);
  const { done, failed } =
    options.fix === true ? repair(patient, first, options.quarantine === true) : NOTHING;
  const results = done.length === 0 ? first : checked(await looked());
  const healthy = isHealthy(results);
  if (options.json === true) shell.json({ healthy, done, failed, results });
  else show(results, { done, failed }, shell);
  return healthy ? EXIT.yes : EXIT.no;
}

function show(results: readonly CheckResult[], { done, failed }: Repaired, shell: Shell): void {
  for (const line of done) shell.err(`Repaired: ${line}\n`);
  for (const line of failed) shell.err(`Not repaired: ${line}\n`);
  for (const line of checkLines(results, shell)) shell.out(`${line}\n`);
  const fixable = results.filter((result) => result.fixable).length;
  if (fixable > 0) shell.err(`"guard doctor --fix" repairs ${fixable} of these.\n`);
}
