/** `guard check --staged`: guard's own pre-commit check, for hook managers (husky, lefthook, pre-commit) and scripts. */
import type { Command } from 'commander';
import { GuardError } from '../../core/error.ts';
import { rfc3339 } from '../../core/rfc3339.ts';
import { age } from '../../core/time.ts';
import { wallMs } from '../../repo/clock.ts';
import { act } from '../act.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { checkStaged, type StagedCheck } from '../git-hook/check-staged.ts';
import type { Shell } from '../shell.ts';

interface Options {
  readonly staged?: boolean;
  readonly json?: boolean;
}

export function define(command: Command, shell: Shell): void {
  command.option('--staged', 'check the staged changes').option('--json', 'print the answer as JSON');
  act<Options>(command, shell, ({ options }) => check(options, shell));
}

async function check({ staged, json }: Options, shell: Shell): Promise<ExitCode> {
  if (staged !== true)
    throw new GuardError('GUARD_ERR_USAGE', 'There is nothing to check.', 'Run: guard check --staged');
  const found = await checkStaged(shell);
  if (json === true) shell.out(`${JSON.stringify(answerOf(found))}\n`);
  else inWords(found, shell);
  return found.state === 'refused' ? EXIT.no : EXIT.yes;
}

const answerOf = (found: StagedCheck): object => ({
  state: found.state,
  ...(found.state === 'off' ? { off_until: rfc3339(found.until_wall_ms) } : {}),
  files:
    found.state === 'refused'
      ? found.kept.map(({ name, because, holder, since, pattern, reason }) => ({
          ...{ path: name, because, holder },
          ...{ since: since ?? null, pattern: pattern ?? null, reason: reason ?? null },
        }))
      : [],
  own_commit: found.state === 'refused' ? found.own : null,
});

function inWords(found: StagedCheck, shell: Shell): void {
  if (found.state === 'refused') shell.err(`${found.lines.join('\n')}\n`);
  else if (found.state === 'off')
    shell.err(`guard is off for ${age(found.until_wall_ms - wallMs())}: nothing was checked.\n`);
  else if (found.state === 'not_set_up')
    shell.err('guard is not set up in this repository: nothing was checked. Run: guard init\n');
}
