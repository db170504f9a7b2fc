import type { Command } from 'commander';
import { readNow } from '../../repo/clock.ts';
import { ownPlace } from '../../repo/clones.ts';
import { isBelieved } from '../../repo/known/belief.ts';
import type { Repo } from '../../repo/locate.ts';
import { hasLedger } from '../../install/kept-state.ts';
import { patchOf, summaryOf } from '../../install/show-changes.ts';
import { leaveLedger } from '../../install/shared-ledger.ts';
import { applyUninstall, planUninstall, type UninstallPlan } from '../../install/uninstall.ts';
import { act } from '../act.ts';
import { repoHere } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import { requireNoClones } from '../join-plan.ts';
import { recordBypass } from '../record-bypass.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';

interface UninstallOptions {
  readonly purge?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

export function define(command: Command, shell: Shell): void {
  command
    .option('--purge', 'remove the ledger too')
    .option('--dry-run', 'show what would change without changing anything')
    .option('--json', 'print the result as JSON');
  act<UninstallOptions>(command, shell, ({ options }) => uninstall(options, shell));
}

function uninstall(options: UninstallOptions, shell: Shell) {
  const dry_run = options.dryRun === true;
  if (!dry_run) requirePerson('guard uninstall', shell.env);
  const repo = repoHere(shell);
  if (repo.joined === undefined) requireNoClones(repo, 'shares its ledger');
  const place = { repo: ownPlace(repo), ledger_dir: repo.state_dir, env: shell.env };
  const plan = planUninstall(place);
  if (dry_run) return report(plan, null, options, shell);
  const now = readNow();
  if (!repo.initialised && plan.changes.length === 0) return nothing(repo, options, shell);
  if (hasLedger(repo) && isBelieved(repo, shell.env)) recordBypass(repo, shell, now, { what: 'uninstall' });
  if (repo.joined !== undefined) leaveLedger(repo);
  return report(plan, applyUninstall(plan, place, options.purge === true, now), options, shell);
}

function nothing(repo: Repo, options: UninstallOptions, shell: Shell) {
  if (options.json === true)
    shell.json({ changed: false, dry_run: false, files: [], ledger: null, kept_for: [], elsewhere: [] });
  else shell.err(`guard is not set up in ${repo.root}. Nothing to change.\n`);
  return EXIT.yes;
}

function report(plan: UninstallPlan, ledger: string | null, options: UninstallOptions, shell: Shell) {
  const { changes, kept_for, elsewhere } = plan;
  const dry_run = options.dryRun === true;
  if (options.json === true) {
    const diff = dry_run ? patchOf(changes) : undefined;
    shell.json({ changed: true, dry_run, files: summaryOf(changes), ledger, kept_for, elsewhere, diff });
    return EXIT.yes;
  }
  if (dry_run) shell.out(patchOf(changes));
  shell.err(dry_run ? 'Dry run: nothing was changed.\n' : 'guard is uninstalled from this repository.\n');
  for (const { action, path } of summaryOf(changes)) shell.err(`  ${action} ${path}\n`);
  if (kept_for.length > 0)
    shell.err(`Your user settings keep guard's hooks, which also guard ${kept_for.join(', ')}.\n`);
  for (const file of elsewhere)
    shell.err(`guard's entries stay in ${file}: a link leads there, out of this repository.\n`);
  if (ledger !== null) shell.err(`The ledger is kept in ${ledger}; "guard init" will continue with it.\n`);
  return EXIT.yes;
}
