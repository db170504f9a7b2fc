import { type Command, InvalidArgumentError, Option } from 'commander';
import { rfc3339 } from '../../core/rfc3339.ts';
import { age } from '../../core/time.ts';
import { readNow } from '../../repo/clock.ts';
import { MAX_OFF_MS, type Off } from '../../core/policy/pause.ts';
import { endOff, OFF_FILE } from '../../install/off.ts';
import { writeStateJson } from '../../install/state-json.ts';
import { endPause, writePause } from '../../install/user-pause.ts';
import { isBelieved } from '../../repo/known/belief.ts';
import type { Repo } from '../../repo/locate.ts';
import { act } from '../act.ts';
import { guardedRepo, repoHere } from '../command-place.ts';
import { duration_ms } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { personId } from '../person.ts';
import { recordBypass } from '../record-bypass.ts';
import { requireTerminal } from '../require-person.ts';
import type { Shell } from '../shell.ts';

interface OffOptions {
  readonly for?: number;
  readonly nowOn?: true;
  readonly json?: true;
}

export function define(command: Command, shell: Shell): void {
  command
    .addOption(new Option('--for <duration>', 'how long, such as 10m; at most 24h').argParser(offDuration))
    .addOption(new Option('--now-on', 'end it now').conflicts('for'))
    .option('--json', 'print the result as JSON');
  act<OffOptions>(command, shell, ({ options }) => {
    if (options.nowOn === true) return switchOn(options, shell);
    if (options.for === undefined) command.error("error: use '--for <duration>' or '--now-on'");
    return switchOff(options.for, options, shell);
  });
}

function offDuration(text: string): number {
  const length_ms = duration_ms(text);
  if (length_ms === 0)
    throw new InvalidArgumentError('It must be longer than zero; "guard off --now-on" ends a pause.');
  if (length_ms > MAX_OFF_MS)
    throw new InvalidArgumentError('It can be at most 24h; for longer, use "guard uninstall".');
  return length_ms;
}

function switchOff(length_ms: number, options: OffOptions, shell: Shell) {
  requireTerminal('guard off', shell.env, shell.isInteractive);
  const repo = setUpHere(shell);
  const now = readNow();
  const off: Off = {
    since_wall_ms: now.wall_ms,
    until_wall_ms: now.wall_ms + length_ms,
    by: personId(shell.env),
  };
  if (isBelieved(repo, shell.env)) {
    writeStateJson(repo.state_dir, OFF_FILE, off);
    recordBypass(repo, shell, now, { what: 'off', until: rfc3339(off.until_wall_ms) });
  } else {
    writePause(repo, shell.env, off);
    shell.err('Warning: this is not in the ledger: the state directory is gone, or not safe to use.\n');
  }
  return tell(off, options, shell);
}

/** Anyone may make a repository safer. */
function switchOn(options: OffOptions, shell: Shell) {
  const repo = setUpHere(shell);
  const now = readNow();
  endPause(repo, shell.env);
  if (isBelieved(repo, shell.env) && endOff(repo.state_dir, now))
    recordBypass(repo, shell, now, { what: 'on' });
  return tell(null, options, shell);
}

/** The way out must be open when everything else is blocked. @throws GuardError GUARD_ERR_NOT_INITIALISED */
function setUpHere(shell: Shell): Repo {
  const repo = repoHere(shell);
  return repo.initialised ? repo : guardedRepo(shell);
}

function tell(off: Off | null, options: OffOptions, shell: Shell) {
  const until = off === null ? null : rfc3339(off.until_wall_ms);
  if (options.json === true) shell.json({ off: off !== null, until, by: off?.by ?? null });
  else if (off === null) shell.err('guard is on.\n');
  else
    shell.err(
      `guard is off for ${age(off.until_wall_ms - off.since_wall_ms)}: every write passes. To end it: guard off --now-on\n`,
    );
  return EXIT.yes;
}
