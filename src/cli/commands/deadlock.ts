/** `guard deadlock`: agents that wait for each other in a cycle, from the ledger or from any log of waits and holds. */
import { type Command, Option } from 'commander';
import { plain } from '../../core/plain.ts';
import { type Anywhere, DEADLOCK, type DeadlockAnswer } from '../../operations/deadlock.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { isInClaude } from '../agent-id.ts';
import { dot, mermaid } from '../graph/mermaid.ts';
import { operatesAt } from '../operate-at.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import type { Shell } from '../shell.ts';
import { cycleLines, waitLines } from '../view/lines.ts';
import { namesHere } from '../view/names-here.ts';
import { workspaceAround } from '../workspace.ts';

export function define(command: Command, shell: Shell): void {
  command
    .addOption(
      new Option(
        '--log <file>',
        'read a file of hold, wait and release records instead of the ledger',
      ).conflicts('watch'),
    )
    .addOption(new Option('--mermaid', 'print the whole graph as Mermaid').conflicts(['json', 'dot']))
    .addOption(new Option('--dot', 'print the whole graph for Graphviz').conflicts('json'));
  anywhere(command, shell, DEADLOCK, {
    given: ({ options: { log } }) => ({ log }),
    flags: { log: '--log' },
    options: { certain: ['--certain', 'show only certain deadlocks, not possible ones'] },
    watches: ({ ledger }) => ledger(),
    show(told, to, options, at) {
      const draw = options['mermaid'] === true ? mermaid : options['dot'] === true ? dot : null;
      const nameOf = options['log'] === undefined ? namesHere(at.ledger().store) : plain;
      to.out(draw === null ? `${inWords(told, to, nameOf)}\n` : draw(told.edges, told.cycles));
    },
    isYes: ({ cycles }) => cycles.length === 0,
  });
}

/** Opens the repository only if it is needed. */
const anywhere = operatesAt<Anywhere>({
  acts: false,
  async open({ cwd, env }, _, work) {
    let opened: Workspace | undefined;
    // An agent may run this without asking, so it must not read from a pipe, which might never end.
    const at = {
      cwd,
      env,
      pipes: !isInClaude(env),
      ledger: () => (opened ??= workspaceAround({ cwd, env })),
    };
    try {
      return await work(at, ONLY_LOOKS);
    } finally {
      opened?.close();
    }
  },
});

function inWords({ edges, cycles }: DeadlockAnswer, shell: Shell, nameOf: (id: string) => string): string {
  if (cycles.length > 0) return cycleLines(cycles, shell, nameOf).join('\n').trimStart();
  return ['No agents wait for each other in a cycle.', ...waitLines(edges, shell, nameOf)].join('\n');
}
