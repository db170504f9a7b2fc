import type { CheckedStep } from '../expectation.ts';
import type { Report, ReplayVerdict } from '../replay.ts';

const WORDS: Readonly<Record<ReplayVerdict, string>> = {
  match: 'as expected',
  mismatch: 'NOT AS EXPECTED',
  unrecorded: 'nothing expected (record it: guard replay --update)',
  updated: 'recorded',
  broken: 'CANNOT BE PLAYED',
};

const nameOf = ({ event, tool }: CheckedStep): string => (tool === '' ? event : `${event} ${tool}`);

function decisionOf({ outcome }: CheckedStep): string {
  const extras = [outcome.error_type, outcome.context && 'context', outcome.rewritten && 'rewritten'];
  return [outcome.decision, ...extras.filter((extra) => typeof extra === 'string')].join(' ');
}

/** A session that matches takes one line; for any other, every relevant event is shown. */
function lines(report: Report): string[] {
  const head = `${report.file}: ${WORDS[report.verdict]} (${report.checks.length} events)`;
  if (report.error) return [head, `  ${report.error.code} ${report.error.message}`, `  ${report.error.hint}`];
  if (report.verdict === 'match') return [head];
  const wrong = report.checks.filter((check) => check.differs !== undefined);
  const shown = report.verdict === 'mismatch' && wrong.length > 0 ? wrong : report.checks;
  return [
    head,
    ...shown.map((check) => `  line ${check.line} ${nameOf(check)}: ${check.differs ?? decisionOf(check)}`),
  ];
}

export const toText = (reports: readonly Report[]): string => `${reports.flatMap(lines).join('\n')}\n`;
