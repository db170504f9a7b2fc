/** `guard role list|approve`: the roles that agents can be drafted in, and what their worktrees may have. */
import type { Command } from 'commander';
import { plain } from '../../core/plain.ts';
import { mayDraft } from '../../core/policy/role.ts';
import { type Approval, APPROVE_ROLE, LIST_ROLES, type ListedRole } from '../../operations/roles.ts';
import { inHarness } from '../agent/places.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';

export function define(command: Command, shell: Shell): void {
  const list = command.command('list').description('list roles, with any fault in their files');
  inHarness(list, shell, LIST_ROLES, {
    show({ roles, roles_dir }, { out }) {
      out(table(roles.map(cells), `There are no roles in ${plain(roles_dir)}. Run: guard init --roles`));
    },
    isYes: ({ roles }) => roles.every(({ problem }) => problem === null),
  });
  const approve = command
    .command('approve')
    .description('allow a role to run its setup step and copy files into its worktrees')
    .argument('<name>');
  inHarness(approve, shell, APPROVE_ROLE, {
    given: ({ args: [role], options: { digest } }) => {
      if (digest !== undefined) requirePerson('guard role approve', shell.env);
      return { role };
    },
    flags: { role: 'NAME' },
    options: { digest: ['--digest <digest>', 'the digest of what was shown, to approve it'] },
    show: (told, { out }) => out(`${approvalLines(told).join('\n')}\n`),
    isYes: ({ approved }) => approved,
  });
}

function cells({ name, category = '', access, model, problem, worktree, approved }: ListedRole): string[] {
  if (problem !== null) return [plain(name), plain(problem)];
  return [
    ...[name, category, mayDraft(access) ? 'drafts agents' : 'only looks', model ?? ''].map(plain),
    (worktree ?? null) === null ? '' : 'in a worktree',
    approved === false ? `not approved: guard role approve ${plain(name)}` : '',
  ];
}

function approvalLines({ role, setup, include, digest, approved }: Approval): string[] {
  if (digest === null) return [`${plain(role)} has nothing to approve.`];
  return [
    ...(setup === null ? [] : ['Run in each of its worktrees before the agent starts:', `  ${plain(setup)}`]),
    ...(include.length === 0
      ? []
      : ['Copied into each of them, where git ignores it:', ...include.map((one) => `  ${plain(one)}`)]),
    approved
      ? 'Approved.'
      : `Not approved yet. To do so: guard role approve ${plain(role)} --digest ${digest}`,
  ];
}
