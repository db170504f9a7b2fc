/** `guard forecast`: what would conflict if all checkouts were merged now. */
import { FORECAST } from '../../operations/forecast.ts';
import type { Surroundings, Workspace } from '../../workspace/workspace.ts';
import type { Declaring } from '../declaring.ts';
import { operatesAt } from '../operate-at.ts';
import { ONLY_LOOKS } from '../operate-looking.ts';
import type { Shell } from '../shell.ts';
import { forecastLines } from '../view/forecast.ts';
import { workspaceAround } from '../workspace.ts';

export function define(command: Declaring, shell: Shell): void {
  around(command, shell, FORECAST, {
    options: {
      trunk: ['--trunk <ref>', 'the branch or commit that everything is merged into'],
      changed: [
        '--changed <path>',
        'only these files may have changed since the last forecast',
        { is_list: true },
      ],
      run: [
        '--run <command>',
        'run this command on the merge of everything that merges, in a separate directory',
      ],
      each_pair: ['--each-pair', 'with --run: also run it on every pair that merges cleanly'],
    },
    watches: ({ ledger }) => ledger(),
    show: (told, to) => to.out(`${forecastLines(told, to).join('\n')}\n`),
    isYes: ({ trunk, pairs, runs = [] }) =>
      trunk.length + pairs.length === 0 && runs.every(({ exit_code }) => exit_code === 0),
  });
}

interface Watched extends Surroundings {
  readonly ledger: () => Workspace;
}

/** Only watching needs a ledger. */
const around = operatesAt<Watched>({
  acts: false,
  async open({ cwd, env }, _, work) {
    let opened: Workspace | undefined;
    try {
      return await work({ cwd, env, ledger: () => (opened ??= workspaceAround({ cwd, env })) }, ONLY_LOOKS);
    } finally {
      opened?.close();
    }
  },
});
