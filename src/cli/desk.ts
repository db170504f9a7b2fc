/** Where the commands of reservations, messages and negotiation begin. */
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Desk } from '../coordination/desk.ts';
import { projectOf } from '../coordination/desk.ts';
import { withLedger } from './ledger.ts';
import type { Shell } from './shell.ts';

export interface DeskOptions {
  readonly agent?: string;
  readonly json?: boolean;
}

/** A hook adds its caller's name in front of whatever follows: a second name must not win over it. */
function oneAgent(given: string, before: string | undefined): string {
  if (before === undefined || before === given) return given;
  throw new InvalidArgumentError(`You are ${before}; one command acts for one agent.`);
}

export const withDeskOptions = (command: Command): Command =>
  command
    .option('--agent <id>', 'for whom (default: who runs this)', oneAgent)
    .option('--json', 'print JSON');

export const atDesk = <T>(
  { agent }: DeskOptions,
  shell: Shell,
  work: (desk: Desk) => T | Promise<T>,
): Promise<T> =>
  withLedger(shell, (ledger) =>
    work({ ledger, who: ledger.who(agent), project: projectOf(ledger, shell.env) }),
  );
