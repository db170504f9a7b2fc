/** A simulation as one self-contained page: to be shown, sent, or kept. */
import type { SimulationReport } from '../../simulate/report.ts';
import type { Contended } from '../../simulate/tally/contention.ts';
import { type AgentNames, agentNames } from './agent-names.ts';
import { type Cell, figure, htmlTable, safe, section } from './page-parts.ts';
import { PAGE_STYLE } from './page-style.ts';
import {
  costWords,
  doubtWords,
  thousands,
  kindsOf,
  lostWords,
  many,
  minute,
  outcomeWords,
  policyWords,
  size,
  unjudgedWords,
} from './words.ts';

export function simulationPage(report: SimulationReport): string {
  const { transcripts, bytes, sessions, agents, from, to } = report;
  const names = agentNames(report);
  const when = from === null || to === null ? '' : `${minute(from)} to ${minute(to)} UTC`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>guard simulate</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>What guard would have done</h1>
<p>${safe(`${many(transcripts, 'transcript')} (${size(bytes)}), ${many(sessions, 'session')}, ${many(agents, 'agent')}`)}<br>${safe(when)}</p>
<p>${safe(`Rules: ${policyWords(report)}`)}</p>
</header>
<main>
<div class="figures">
${figures(report)}
</div>
${deniedSection(report, names)}
${lostSection(report, names)}
${contentionSection(report)}
${restSection(report)}
</main>
</body>
</html>
`;
}

const figures = ({ calls, denied, lost, side_by_side }: SimulationReport): string =>
  [
    figure(calls.writes, 'writes'),
    figure(denied.calls, 'calls denied'),
    figure(lost.lines, 'lines provably lost'),
    figure(side_by_side.pairs, 'pairs of overlapping sessions'),
  ].join('\n');

const nameCell = (id: string, { nameOf }: AgentNames): Cell => ({ text: nameOf(id), title: id });

function deniedSection(report: SimulationReport, names: AgentNames): string {
  const { denied } = report;
  if (denied.calls === 0) return section('Denied', '<p>Nothing.</p>');
  const rows = denied.groups.map(({ file, calls, agents, first }) => [
    ...[file, kindsOf(first).join(', '), calls, agents],
    ...[minute(first.at), nameCell(first.agent, names), names.inText(first.message)],
  ]);
  const kinds = Object.entries(denied.by_error_type);
  return section(
    'Denied',
    `<p>${safe(`${many(denied.calls, 'call')}: ${outcomeWords(report)}.`)}</p>`,
    htmlTable(['why', 'calls'], kinds),
    htmlTable(['file', 'why', 'calls', 'agents', 'first', 'by', 'message'], rows),
  );
}

function lostSection(report: SimulationReport, names: AgentNames): string {
  const { lost } = report;
  const rows = lost.list.map(({ file, how, lines, made_by, made_at, by, at, would_be_denied }) => [
    ...[file, how, lines, nameCell(made_by, names), minute(made_at)],
    ...[nameCell(by, names), minute(at)],
    would_be_denied ? 'denied' : 'allowed',
  ]);
  const texts = lost.list.flatMap(({ file, text = [] }) =>
    text.length === 0 ? [] : [`<h3>${safe(file)}</h3><pre>${text.map(safe).join('\n')}</pre>`],
  );
  const doubts = doubtWords(report);
  return section(
    'Lost',
    `<p>${safe(lostWords(report))}.</p>`,
    rows.length === 0
      ? ''
      : htmlTable(['file', 'how', 'lines', 'written by', 'at', 'removed by', 'at', 'with guard'], rows),
    ...texts,
    doubts.length === 0 ? '' : `<p>${safe(`Not provable, so not counted: ${doubts.join(', ')}.`)}</p>`,
  );
}

function contentionSection({ contention }: SimulationReport): string {
  if (contention.files.length === 0)
    return section('Contention', '<p>No file was written by more than one agent.</p>');
  const head = (what: string) => [what, 'agents', 'writes', 'handovers', 'denied'];
  const rowOf = ({ path, agents, writes, handovers, denied }: Contended): readonly Cell[] => [
    ...[path, agents, writes, handovers, denied],
  ];
  return section(
    'Contention',
    htmlTable(head('file'), contention.files.map(rowOf)),
    htmlTable(head('directory'), contention.directories.map(rowOf)),
  );
}

function restSection(report: SimulationReport): string {
  const { pairs, most_at_once } = report.side_by_side;
  const together = `${many(pairs, 'pair')} of sessions worked at the same time, up to ${thousands(most_at_once)} at once.`;
  const unjudged = unjudgedWords(report);
  return section(
    'Overlap and cost',
    `<p>${safe(together)}</p>`,
    `<p>${safe(`Cost: ${costWords(report)}.`)}</p>`,
    unjudged.length === 0
      ? ''
      : `<p>Could not be evaluated:</p><ul>${unjudged.map((one) => `<li>${safe(one)}</li>`).join('')}</ul>`,
  );
}
