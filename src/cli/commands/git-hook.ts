/** `guard git-hook pre-commit`: git starts it before a commit (install/git-hook/script.ts). Prints `refused` to standard output. */
import type { Command } from 'commander';
import { rfc3339 } from '../../core/rfc3339.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { checkStaged } from '../git-hook/check-staged.ts';
import type { Shell } from '../shell.ts';

export function define(command: Command, shell: Shell): void {
  const preCommit = command
    .command('pre-commit')
    .description('check whether this commit includes files that others hold');
  act(preCommit, shell, () => checkCommit(shell));
}

async function checkCommit(shell: Shell): Promise<ExitCode> {
  const found = await checkStaged(shell);
  if (found.state === 'clear') return EXIT.yes;
  if (found.state === 'refused') {
    shell.err(`${found.lines.join('\n')}\n`);
    shell.out('refused');
    return EXIT.no;
  }
  const why =
    found.state === 'off'
      ? `off until ${rfc3339(found.until_wall_ms)}`
      : 'this repository is not set up for guard';
  shell.err(`guard: ${why}, so this commit was not checked.\n`);
  return EXIT.yes;
}
