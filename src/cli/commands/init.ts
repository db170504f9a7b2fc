import { Option } from 'commander';
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { homeOf } from '../../repo/user-dirs.ts';
import { readNow } from '../../repo/clock.ts';
import type { Repo } from '../../repo/locate.ts';
import type { Preset } from '../../config/schema.ts';
import { applyInstall } from '../../install/apply.ts';
import { droppedNotes, refuseDropped } from '../../install/dropped.ts';
import { seenSettings } from '../../install/settings-seen.ts';
import { findClient } from '../../install/client.ts';
import type { Client } from '../../install/client.ts';
import { planInstall } from '../../install/plan.ts';
import type { InstallPlan } from '../../install/plan.ts';
import { installFacts } from '../../install/facts.ts';
import { guardRoot } from '../../install/guard-root.ts';
import { installNotes } from '../../install/notes.ts';
import { patchOf, summaryOf } from '../../install/show-changes.ts';
import { SCOPES } from '../../install/scopes.ts';
import { weakens } from '../../install/weakens.ts';
import type { Scope } from '../../install/scopes.ts';
import { act } from '../act.ts';
import { repoHere } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';

interface InitOptions {
  readonly scope?: Scope;
  readonly preset?: Preset;
  readonly mcp?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

const PRESET_HELP =
  'standard: lock before writing; strict: also read every file first; auto: locks are taken at the first write';

export function define(command: Command, shell: Shell): void {
  command
    .addOption(
      new Option(
        '--scope <scope>',
        'project: committed, for the team; local: this checkout; user: every repository of yours',
      ).choices(SCOPES),
    )
    .addOption(new Option('--preset <preset>', PRESET_HELP).choices(['standard', 'strict', 'auto']))
    .option('--mcp', 'register the MCP server with the lock tools in .mcp.json, too')
    .option('--dry-run', 'show what would change, change nothing')
    .option('--json', 'print the result as JSON');
  act<InitOptions>(command, shell, ({ options }) => init(options, shell));
}

function init(options: InitOptions, shell: Shell) {
  const repo = repoHere(shell);
  refuseHome(repo, shell);
  const guard_root = guardRoot();
  const client = findClient(shell.env);
  const facts = installFacts(
    { scope: options.scope ?? null, preset: options.preset ?? null, mcp: options.mcp === true },
    { repo, env: shell.env, guard_root, client },
  );
  const plan = planInstall(facts);
  refuseDropped(plan, client);
  if (weakens(plan, facts.on_record)) requirePerson('guard init', shell.env);
  if (options.dryRun !== true && !plan.is_done) {
    applyInstall(plan, { repo, env: shell.env, scope: plan.scope, now: readNow() });
  }
  const notes = installNotes({ plan, repo, client, env: shell.env, mcp: options.mcp === true });
  report(plan, [...notes, ...droppedNotes(seenSettings(repo.root, shell.env), plan, client)], {
    options,
    repo,
    client,
    shell,
  });
  return EXIT.yes;
}

interface Reported {
  readonly options: InitOptions;
  readonly repo: Repo;
  readonly client: Client;
  readonly shell: Shell;
}

function report(
  plan: InstallPlan,
  notes: readonly string[],
  { options, repo, client, shell }: Reported,
): void {
  const dry_run = options.dryRun === true;
  const { scope, record, is_done } = plan;
  if (options.json === true) {
    const files = summaryOf(plan.changes);
    const diff = dry_run ? patchOf(plan.changes) : undefined;
    const state = {
      state_dir: repo.state_dir,
      enforcement: record.enforcement_floor,
      unread: record.unread_floor,
    };
    shell.json({
      changed: !is_done,
      dry_run,
      scope,
      ...state,
      command: record.command,
      client,
      files,
      notes,
      diff,
    });
    return;
  }
  if (dry_run) shell.out(patchOf(plan.changes));
  shell.err(`${headline(plan, repo, dry_run)}\n`);
  if (!dry_run) for (const { action, path } of summaryOf(plan.changes)) shell.err(`  ${action} ${path}\n`);
  for (const note of notes) shell.err(`${note}\n`);
}

function headline(plan: InstallPlan, repo: Repo, dry_run: boolean): string {
  if (plan.is_done)
    return `Already set up: ${repo.root} is guarded (scope ${plan.scope}). Nothing to change.`;
  if (dry_run) return `Dry run: nothing was changed. The ledger would be in ${repo.state_dir}.`;
  return `${repo.root} is guarded now (scope ${plan.scope}). The ledger is in ${repo.state_dir}.`;
}

/** Without git the current directory becomes the repository: that is never meant for a whole home. */
function refuseHome(repo: Repo, shell: Shell): void {
  if (repo.kind !== 'outside' || (repo.root !== homeOf(shell.env) && repo.root !== '/')) return;
  throw new GuardError(
    'GUARD_ERR_NOT_INITIALISED',
    `${repo.root} is not a repository.`,
    'Go to the directory of the project, and run `guard init` there.',
    { root: repo.root },
  );
}
