/** A simulation as text for a terminal. */
import { plain } from '../../core/plain.ts';
import type { SimulationReport } from '../../simulate/report.ts';
import type { Contended } from '../../simulate/tally/contention.ts';
import type { Shell } from '../shell.ts';
import { columns } from '../view/columns.ts';
import { type AgentNames, agentNames } from './agent-names.ts';
import {
  costWords,
  kindsOf,
  doubtWords,
  thousands,
  lostWords,
  many,
  minute,
  outcomeWords,
  policyWords,
  size,
  unjudgedWords,
} from './words.ts';

type Colors = Shell['color'];

export function simulationText(report: SimulationReport, color: Colors): string {
  const names = agentNames(report);
  const parts = [
    headLines(report, color),
    deniedLines(report, names, color),
    lostLines(report, names, color),
    contentionLines(report, color),
    restLines(report, color),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function headLines(report: SimulationReport, color: Colors): readonly string[] {
  const { transcripts, bytes, sessions, agents, from, to, calls } = report;
  const when = from === null || to === null ? '' : `, ${minute(from)} to ${minute(to)} UTC`;
  return [
    color.bold(
      `${many(transcripts, 'transcript')} (${size(bytes)}): ${many(sessions, 'session')}, ${many(agents, 'agent')}${when}`,
    ),
    `Rules: ${policyWords(report)}`,
    `${many(calls.writes, 'write')}, ${many(calls.reads, 'read')}, ${many(calls.commands, 'command line')}, ${many(calls.prompts, 'prompt')}`,
  ];
}

function deniedLines(report: SimulationReport, names: AgentNames, color: Colors): readonly string[] {
  const { denied } = report;
  if (denied.calls === 0) return [color.green('guard would have denied nothing')];
  const kinds = Object.entries(denied.by_error_type).map(([type, count]) => [type, thousands(count)]);
  const groups = denied.groups.flatMap(({ file, calls, agents, first }) => [
    ...columns([[plain(file), kindsOf(first).join(', '), many(calls, 'call'), many(agents, 'agent')]]),
    `    first ${minute(first.at)} by ${plain(names.fullNameOf(first.agent))}, ${first.tool}: ${plain(names.inText(first.message))}`,
  ]);
  const locks = denied.locks_as_told;
  return [
    color.red(`guard would have denied ${many(denied.calls, 'call')} (${outcomeWords(report)})`),
    ...columns(kinds),
    ...(locks > 0
      ? [`  (after ${locks === 1 ? 'a' : thousands(locks)} NOT_LOCKED the simulated agent takes the lock)`]
      : []),
    '',
    ...groups,
  ];
}

function lostLines(report: SimulationReport, names: AgentNames, color: Colors): readonly string[] {
  const { lost } = report;
  const title = lost.proven > 0 ? color.red(lostWords(report)) : color.green(lostWords(report));
  const rows = lost.list.flatMap((one) => [
    ...columns([
      [plain(one.file), one.how, many(one.lines, 'line'), one.would_be_denied ? 'denied' : 'allowed'],
    ]),
    `    written ${minute(one.made_at)} by ${plain(names.fullNameOf(one.made_by))}, removed ${minute(one.at)} by ${plain(names.fullNameOf(one.by))}`,
    ...(one.text ?? []).map((line) => `    - ${plain(line)}`),
  ]);
  const doubts = doubtWords(report);
  return [
    title,
    ...rows,
    ...(doubts.length > 0 ? [`  Not provable, so not counted: ${doubts.join(', ')}`] : []),
  ];
}

function contentionLines({ contention }: SimulationReport, color: Colors): readonly string[] {
  const { files, directories } = contention;
  if (files.length === 0) return ['No file was written by more than one agent'];
  return [
    color.bold('Files written by more than one agent'),
    ...columns([HEAD, ...files.map(rowOf)]),
    color.bold('Directories of these files'),
    ...columns([HEAD, ...directories.map(rowOf)]),
  ];
}

const HEAD = ['', 'agents', 'writes', 'handovers', 'denied'];

const rowOf = ({ path, agents, writes, handovers, denied }: Contended): readonly string[] => [
  plain(path),
  ...[agents, writes, handovers, denied].map(thousands),
];

function restLines(report: SimulationReport, color: Colors): readonly string[] {
  const { pairs, most_at_once } = report.side_by_side;
  const unjudged = unjudgedWords(report);
  return [
    `Overlap: ${many(pairs, 'pair')} of sessions worked at the same time, up to ${thousands(most_at_once)} at once`,
    `Cost: ${costWords(report)}`,
    ...(unjudged.length > 0
      ? [color.dim('Could not be evaluated:'), ...unjudged.map((line) => color.dim(`  ${line}`))]
      : []),
  ];
}
