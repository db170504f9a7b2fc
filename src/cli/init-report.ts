/** What `guard init` reports. */
import type { Client } from '../install/client.ts';
import type { InstallPlan } from '../install/plan.ts';
import { patchOf, summaryOf } from '../install/show-changes.ts';
import type { Repo } from '../repo/locate.ts';
import type { Shell } from './shell.ts';

interface Reported {
  readonly options: { readonly dryRun?: true; readonly json?: true };
  readonly repo: Repo;
  readonly client: Client;
  readonly shell: Shell;
  readonly healthy: boolean;
  /** Nothing was changed at all. */
  readonly is_done: boolean;
}

export function reportInit(
  plan: InstallPlan,
  notes: readonly string[],
  { options, repo, client, shell, healthy, is_done }: Reported,
): void {
  const dry_run = options.dryRun === true;
  const { scope, record } = plan;
  if (options.json === true) {
    const { enforcement_floor: enforcement, unread_floor: unread, command } = record;
    const now = { scope, state_dir: repo.state_dir, enforcement, unread, command, client };
    const files = summaryOf(plan.changes);
    const diff = dry_run ? patchOf(plan.changes) : undefined;
    shell.json({ changed: !is_done, healthy, dry_run, ...now, files, notes, diff });
    return;
  }
  if (dry_run) shell.out(patchOf(plan.changes));
  shell.err(`${headline(plan, repo, { dry_run, healthy, is_done })}\n`);
  if (!dry_run) for (const { action, path } of summaryOf(plan.changes)) shell.err(`  ${action} ${path}\n`);
  for (const note of notes) shell.err(`${note}\n`);
}

function headline(
  plan: InstallPlan,
  repo: Repo,
  { dry_run, healthy, is_done }: Pick<Reported, 'healthy' | 'is_done'> & { readonly dry_run: boolean },
): string {
  if (is_done && !healthy)
    return `${repo.root} is set up (scope ${plan.scope}), but not guarded as it should be, and "guard init" cannot correct that:`;
  if (is_done) return `Already set up: ${repo.root} is guarded (scope ${plan.scope}). Nothing to change.`;
  if (dry_run) return `Dry run: nothing was changed. The ledger would be in ${repo.state_dir}.`;
  return `${repo.root} is guarded now (scope ${plan.scope}). The ledger is in ${repo.state_dir}.`;
}
