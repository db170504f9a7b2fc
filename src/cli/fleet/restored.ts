/** `guard fleet restored`: for after the database of a fleet was restored to an earlier state. */
import type { Command } from 'commander';
import { formatDuration } from '../../config/duration.ts';
import { loadEngine } from '../../config/engine.ts';
import { loadConfig } from '../../config/load.ts';
import { fleetEngine } from '../../store/fleet.ts';
import { act } from '../act.ts';
import { guardedRepo } from '../command-place.ts';
import { duration_ms } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { requirePerson } from '../require-person.ts';
import type { Shell } from '../shell.ts';

interface RestoredOptions {
  readonly json?: true;
  readonly closedFor?: number;
}

/** @param restored the command, with its argument: how the owner of the database logs in */
export function defineRestored(restored: Command, shell: Shell): void {
  const about =
    'for how long nothing is granted; default: the ttl of leases here, or the longest of a repository there';
  restored.option('--closed-for <duration>', about, duration_ms);
  act<RestoredOptions>(restored, shell, async ({ args: [url], options }) => {
    requirePerson('guard fleet restored', shell.env);
    const repo = guardedRepo(shell);
    const { closedFor: given, json } = options;
    const own_ms = loadConfig({ repo, env: shell.env }).policy.ttl_ms;
    const closing = { closed_for_ms: given ?? own_ms, or_longer: given === undefined };
    const owner = url ?? loadEngine(repo, shell.env).url;
    const done = await (await fleetEngine(owner)).asOwner(owner, (it) => it.restored(closing));
    if (json === true) shell.json(done);
    else shell.out(told(done));
    return EXIT.yes;
  });
}

const told = (done: { readonly repositories: number; readonly closed_for_ms: number }): string =>
  `${done.repositories} repositories have a new epoch. Nothing is granted for ${formatDuration(done.closed_for_ms)}: until leases that the database forgot have ended.\n`;
