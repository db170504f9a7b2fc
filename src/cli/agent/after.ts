/** Commands for what agents left behind: their logs, their sessions, their worktrees. */
import type { Command } from 'commander';
import { AGENT_CHANGES, DISCARD_WORKTREE, MERGE_WORKTREE } from '../../operations/agent-worktrees.ts';
import { PRUNE_AGENTS } from '../../operations/prune-agents.ts';
import { act } from '../act.ts';
import { requirePerson, requireTerminal } from '../require-person.ts';
import type { Shell } from '../shell.ts';
import { attachTo } from './attach.ts';
import { discardedLine, mergedLine, showChanges } from './changes.ts';
import { showLogs } from './logs.ts';
import { asDrafter, inHarness, withHarness } from './places.ts';
import { prunedLines } from './pruned.ts';

/** The operand of a command about one agent. */
interface OfOne {
  readonly given: (call: { readonly args: readonly string[] }) => { readonly agentId: string | undefined };
  readonly flags: { readonly agentId: string };
}

export function defineAfter(verb: (name: string, summary: string) => Command, shell: Shell, ID: OfOne): void {
  const changes = verb('changes', 'show what agents changed in their worktrees, and what conflicts');
  inHarness(changes.argument('[id]'), shell, AGENT_CHANGES, { ...ID, show: showChanges });
  const merge = verb('merge', 'merge an agent’s worktree into this checkout').argument('<id>');
  asDrafter(merge, shell, MERGE_WORKTREE, {
    ...ID,
    options: { squash: ['--squash', 'merge as one commit'] },
    show: (told, { out }) => out(mergedLine(told)),
  });
  asDrafter(verb('discard', 'discard an agent’s worktree').argument('<id>'), shell, DISCARD_WORKTREE, {
    ...ID,
    show: (told, { out }) => out(discardedLine(told)),
  });
  const logs = verb('logs', 'show what an agent said and did').argument('<id>');
  act<{ follow?: true }>(
    logs.option('-f, --follow', 'keep printing until it has ended'),
    shell,
    ({ args: [agentId = ''], options }) =>
      withHarness(shell, (space) => showLogs(space, shell, { agentId, follow: options.follow === true })),
  );
  act(
    verb('attach', 'continue the session of an agent that has ended').argument('<id>'),
    shell,
    ({ args: [id = ''] }) => {
      requireTerminal('guard agent attach', shell.env, shell.isInteractive);
      return withHarness(shell, (space) => attachTo(space, id));
    },
  );
  asDrafter(
    verb('prune', 'remove what agents left behind; without --apply, only list it'),
    shell,
    PRUNE_AGENTS,
    {
      given: ({ options: { apply } }) => {
        if (apply === true) requirePerson('guard agent prune --apply', shell.env);
        return {};
      },
      options: {
        older_seconds: [
          '--older <duration>',
          'only what agents left that ended longer ago than this (default: 168h)',
          { unit_ms: 1_000 },
        ],
        max_mb: ['--max-mb <number>', 'also the oldest logs, while all logs together exceed this size'],
        apply: ['--apply', 'remove what would be listed'],
      },
      show: (told, { out }) => out(prunedLines(told)),
    },
  );
}
