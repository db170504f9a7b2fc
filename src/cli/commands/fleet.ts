/** `guard fleet`: one ledger for the agents of several machines (docs/fleet.md). */
import type { Command } from 'commander';
import { ifAllowed } from '../../core/attempt.ts';
import { plain } from '../../core/plain.ts';
import { loadEngine } from '../../config/engine.ts';
import { wallMs } from '../../repo/clock.ts';
import { NAMED_FILE } from '../../repo/fleet-file.ts';
import { fleetEngine } from '../../store/fleet.ts';
import { act } from '../act.ts';
import { guardedRepo } from '../command-place.ts';
import { EXIT } from '../exit.ts';
import { defineBench } from '../fleet/bench.ts';
import { leaveFleet } from '../fleet/leave.ts';
import { initFleet, joinFleet } from '../fleet/move.ts';
import { nameLate } from '../fleet/name-late.ts';
import { defineRestored } from '../fleet/restored.ts';
import { fleetStatus } from '../fleet/status.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';
import { table } from '../view/columns.ts';
import { withWorkspace } from '../workspace.ts';

interface JsonOption {
  readonly json?: true;
}

interface LeaveOptions extends JsonOption {
  readonly withoutEngine?: true;
}

const OWNER = "address by which the database's owner logs in (default: the one in your configuration)";

export function define(command: Command, shell: Shell): void {
  const below = (name: string, about: string): Command =>
    command.command(name).description(about).option('--json', 'print the result as JSON');
  const say = (options: JsonOption, value: object, text: string) => {
    if (options.json === true) shell.json(value);
    else shell.out(text);
    return EXIT.yes;
  };

  const init = below('init', 'give this repository a name in the shared ledger, and move it there').argument(
    '[url]',
    OWNER,
  );
  act<JsonOption>(init, shell, async ({ args: [url], options }) => {
    requirePerson('guard fleet init', shell.env);
    const repo = guardedRepo(shell);
    const owner = url ?? loadEngine(repo, shell.env).url;
    const moved = await initFleet(shell, repo, owner);
    return say(
      options,
      { ...moved, file: NAMED_FILE },
      `This repository is ${moved.repository} in the shared ledger now, and this clone ${moved.clone}.\nCommit ${NAMED_FILE}; then run "guard fleet join" in each other clone.\n`,
    );
  });

  act<JsonOption>(
    below('join', 'move this clone to the shared ledger that the repository names'),
    shell,
    async ({ options }) => {
      requirePerson('guard fleet join', shell.env);
      const moved = await joinFleet(shell, guardedRepo(shell));
      return say(
        options,
        moved,
        `This clone uses the shared ledger of ${moved.repository} now, as ${moved.clone}.\n`,
      );
    },
  );

  const leaving = below(
    'leave',
    'use a ledger of this machine alone; everything that its agents hold ends',
  ).option('--without-engine', 'the database is gone for good: do not ask it who is working here');
  act<LeaveOptions>(leaving, shell, ({ options }) => {
    requirePerson('guard fleet leave', shell.env);
    leaveFleet(shell, guardedRepo(shell), options.withoutEngine !== true);
    return say(options, { left: true }, 'This clone has its own ledger again.\n');
  });

  act<JsonOption>(
    below('status', 'show round trip, clocks, and which machines are up'),
    shell,
    ({ options }) => {
      ifAllowed(() => nameLate(shell, guardedRepo(shell)), null);
      return withWorkspace(shell, (space) => {
        const status = fleetStatus(space, wallMs);
        const rows = status.machines.map(({ machine, here, up, agents }) => [
          plain(machine),
          here ? 'this machine' : '',
          up ? 'up' : 'silent',
          `${agents} agents`,
        ]);
        const head = `${status.repository}: round trip ${status.round_trip_ms} ms, its clock ${status.clock_difference_ms} ms ahead of this machine's\nThis clone is ${status.clone ?? `not distinguished from those of other machines: run "guard fleet join" when no agent is at work here`}.\n`;
        return say(options, status, head + table(rows, 'No machine is here.'));
      });
    },
  );

  defineRestored(
    below('restored', 'start a new epoch, after the database was restored to an earlier state').argument(
      '[url]',
      OWNER,
    ),
    shell,
  );

  defineBench(
    below('bench', 'measure lock operations per second of the engine, in a separate repository').argument(
      '[url]',
      OWNER,
    ),
    shell,
  );

  const migrating = below(
    'migrate',
    "bring the database's schema to the newest version that this guard knows",
  ).argument('[url]', OWNER);
  act<JsonOption>(migrating, shell, async ({ args: [url], options }) => {
    requirePerson('guard fleet migrate', shell.env);
    const owner = url ?? loadEngine(guardedRepo(shell), shell.env).url;
    const schema = await (await fleetEngine(owner)).asOwner(owner, (it) => it.migrate());
    return say(options, { schema }, `The schema has version ${schema}.\n`);
  });
}
