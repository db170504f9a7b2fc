/** `guard status`: everybody in this repository, what they hold and whom they wait for. */
import { rfc3339 } from '../../core/rfc3339.ts';
import { type CommandReport, openCommands } from '../../core/open-commands.ts';
import { statusOf, type StatusReport } from '../../core/report.ts';
import { asNoticed, NOTICED } from '../../core/noticed.ts';
import { isOn } from '../../fence/site.ts';
import { isHooked } from '../../install/hook-sources.ts';
import { readOff } from '../../install/off.ts';
import { act } from '../act.ts';
import type { Declaring } from '../declaring.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { noticedLines, stillNoticed } from '../view/noticed.ts';
import { withWorkspace } from '../workspace.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Shell } from '../shell.ts';
import {
  agentLines,
  commandLines,
  cycleLines,
  leaseLines,
  reservationLines,
  waitLines,
} from '../view/lines.ts';
import { clientsHere, strangersAmong, unjoinedLines } from '../view/unjoined.ts';
import { watchLoop } from '../watch-loop.ts';
import { consult } from '../../store/transact.ts';

interface Options {
  readonly json?: boolean;
  readonly watch?: boolean;
}

export function define(command: Declaring, shell: Shell): void {
  command.option('--json', 'print JSON').option('--watch', 'again whenever something happens, until Ctrl-C');
  act<Options>(command, shell, ({ options }) => status(options, shell));
}

function status(options: Options, shell: Shell): Promise<ExitCode> {
  return withWorkspace(shell, async (space) => {
    if (options.watch === true) await watchLoop(space, shell, () => show(space, options, shell));
    else show(space, options, shell);
    return EXIT.yes;
  });
}

function show(space: Workspace, options: Options, shell: Shell): void {
  const facts = space.facts();
  const clients = clientsHere(space.repo);
  const { report, commands, strangers } = consult(space.store, (view) => ({
    report: statusOf(view, facts),
    commands: openCommands(view, facts),
    strangers: strangersAmong(clients, view, facts),
  }));
  const off = readOff(space.repo.state_dir, facts.now);
  const enforcement = facts.policy.enforcement;
  const off_until = off === null ? null : rfc3339(off.until_wall_ms);
  const hooked = isHooked(space.repo, shell.env);
  const noticed = stillNoticed(asNoticed(space.store.look([NOTICED]).get(NOTICED)));
  if (options.json === true) {
    shell.json({
      repository: space.repo.root,
      enforcement,
      hooked,
      off_until,
      fenced: isOn(space.repo.state_dir),
      ...report,
      commands,
      unjoined: strangers,
      noticed,
    });
    return;
  }
  const head = [...heading(space, enforcement, off_until, shell), ...(hooked ? [] : [unhooked(shell)])];
  const tail = [...unjoinedLines(strangers, space.repo.root, shell), ...noticedLines(noticed, shell)];
  shell.out(`${[...head, ...body(report, commands, shell), ...tail].join('\n')}\n`);
}

const unhooked = ({ color }: Shell): string =>
  color.red('No hooks of guard are installed here, so sessions are not guarded. Run: guard init');

function heading(
  space: Workspace,
  enforcement: string,
  off_until: string | null,
  { color }: Shell,
): string[] {
  const fenced = isOn(space.repo.state_dir) ? '  commands fenced' : '';
  const line = `${color.bold(space.repo.root)}  locks ${enforcement}${fenced}`;
  return off_until === null
    ? [line]
    : [line, color.yellow(`guard is off until ${off_until}: writes are not checked`)];
}

function body(report: StatusReport, commands: readonly CommandReport[], shell: Shell): string[] {
  return [
    '',
    ...agentLines(report.agents, shell),
    ...commandLines(commands, shell),
    ...leaseLines(report.leases, shell),
    ...reservationLines(report.reservations, shell),
    ...waitLines(report.waits, shell),
    ...cycleLines(report.cycles, shell),
  ];
}
