import type { Command } from 'commander';
import { readNow } from '../../repo/clock.ts';
import { ownPlace } from '../../repo/clones.ts';
import type { Repo } from '../../repo/locate.ts';
import { adoptCopies, copiesAmong } from '../../install/adopt-copies.ts';
import { applyInstall } from '../../install/apply.ts';
import { CHECKS } from '../../install/checks.ts';
import { examine, runChecks } from '../../install/doctor.ts';
import { refuseDropped } from '../../install/dropped.ts';
import { findClient } from '../../install/client.ts';
import { type InstallPlan, planInstall } from '../../install/plan.ts';
import { installFacts } from '../../install/facts.ts';
import { guardRoot } from '../../install/guard-root.ts';
import { foundHere } from '../../install/found-here.ts';
import { recordedRoot } from '../../install/program/home.ts';
import { keepProgram, keptNote } from '../../install/program/keep.ts';
import { hostNotes } from '../../install/hosts/notes.ts';
import { installNotes } from '../../install/notes.ts';
import { starterRoles } from '../../install/starter-roles.ts';
import { placeScript } from '../../install/warm-script.ts';
import { weakens } from '../../install/weakens.ts';
import { act } from '../act.ts';
import { repoHere } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import { refuseBare, refuseHome, refuseWorktrees } from '../init-refusals.ts';
import { declareInit, type InitOptions, wishOf } from '../init-options.ts';
import { reportInit } from '../init-report.ts';
import { sharingFor } from '../join-ledger.ts';
import { recordBypass } from '../record-bypass.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  declareInit(command);
  act<InitOptions>(command, shell, ({ options }) => init(options, shell));
}

function init(options: InitOptions, shell: Shell) {
  const sharing = sharingFor(options, shell);
  const repo = ownPlace(repoHere(shell));
  refuseHome(repo, shell);
  refuseBare(repo);
  const guard_root = recordedRoot(guardRoot(), shell.env);
  const client = findClient(shell.env);
  const facts = installFacts(wishOf(options), { repo, env: shell.env, guard_root, client });
  if (options.worktrees === true && facts.events === 'known') refuseWorktrees(client);
  const plan = planInstall(facts);
  if (facts.host === null) refuseDropped(plan, client);
  // Reusing a state directory that is not trusted, or replacing a missing one, is for a person to decide.
  const is_lost = repo.initialised && !facts.is_believed;
  const is_weaker = weakens(plan, facts.on_record);
  if (is_lost || is_weaker || options.roles === true) requirePerson('guard init', shell.env);
  const applied = options.dryRun === true ? [] : apply(plan, { repo, shell, guard_root, is_weaker });
  const shared = options.dryRun === true ? [] : sharing(repo);
  const wrong = options.dryRun === true ? [] : complaints(shell, facts.host === null);
  const mcp = options.mcp === true;
  const notes = [
    ...applied,
    ...shared,
    ...(options.roles === true ? starterRoles(repoHere(shell), shell.env, options.dryRun === true) : []),
    ...(facts.host === null
      ? installNotes({ plan, repo, client, env: shell.env, mcp, ...foundHere(repo, shell.env) })
      : hostNotes(facts.host, plan, repo)),
    ...wrong.map(({ message, hint }) => `Still wrong: ${message}${hint === '' ? '' : ` (${hint})`}`),
  ];
  const is_done = plan.is_done && shared.length === 0;
  const healthy = wrong.length === 0;
  reportInit(plan, notes, { options, repo: repoHere(shell), client, shell, healthy, is_done });
  return plan.is_done && wrong.length > 0 ? EXIT.no : EXIT.yes;
}

interface Applying {
  readonly repo: Repo;
  readonly shell: Shell;
  readonly guard_root: string;
  readonly is_weaker: boolean;
}

/** Returns notes for the person. The bypass is recorded last, because a copy that is not adopted takes no record. */
function apply(plan: InstallPlan, { repo, shell, guard_root, is_weaker }: Applying): readonly string[] {
  const now = readNow();
  const kept = keepProgram({ running: guardRoot(), guard_root, repo_root: repo.root }, now.wall_ms);
  if (!plan.is_done)
    applyInstall(plan, {
      repo,
      ledger_dir: repoHere(shell).state_dir,
      env: shell.env,
      scope: plan.scope,
      now,
    });
  placeScript(repo.state_dir, guard_root, plan.is_warm);
  const adopted = adopt(repo, shell);
  if (!plan.is_done && is_weaker) recordBypass(repoHere(shell), shell, now, { what: 'init' });
  return [...adopted, ...keptNote(kept)];
}

function adopt({ state_dir }: Repo, { env }: Shell): readonly string[] {
  const copies = copiesAmong(state_dir, env);
  if (copies.length > 0) requirePerson('guard init', env);
  return adoptCopies(copies, env);
}

/** What `guard doctor` would fail for, except its live event: "already set up" must not hide that. */
const complaints = (shell: Shell, is_claude: boolean) =>
  runChecks(
    examine(shell.cwd, shell.env),
    CHECKS.filter(({ id }) => (is_claude ? id !== 'live' : OF_EVERY_CLIENT.includes(id))),
  ).filter(({ status }) => status === 'fail');

const OF_EVERY_CLIENT = [
  'node',
  'flock',
  'native',
  'program',
  'state_dir',
  'disk',
  'ledger',
  'config',
  'hosts',
];
