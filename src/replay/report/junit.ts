/** JUnit XML as read by GitLab, Jenkins and others: a recording is a suite, a checked event a case. */
import type { CheckedStep } from '../expectation.ts';
import type { Report } from '../replay.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
};

/** Replaces characters that XML 1.0 does not allow: controls and lone surrogates. */
const escaped = (text: string): string =>
  text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD')
    .replace(/[&<>"\n]/g, (char) => ENTITIES[char] ?? char);

const failure = (kind: 'failure' | 'error', message: string): string =>
  `<${kind} message="${escaped(message)}"/>`;

function testCase(suite: string, name: string, inner = ''): string {
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
  return inner === '' ? `${head}/>` : `${head}>${inner}</testcase>`;
}

const caseOf = (file: string, { line, event, tool, differs }: CheckedStep): string =>
  testCase(
    file,
    `line ${line} ${event} ${tool}`.trim(),
    differs === undefined ? '' : failure('failure', differs),
  );

function suite({ file, verdict, error, checks }: Report): string {
  const checked = checks.filter((check) => check.isChecked || check.differs !== undefined);
  const cases = checked.map((check) => caseOf(file, check));
  const failures = checked.filter((check) => check.differs !== undefined).length;
  if (error)
    cases.push(testCase(file, 'recording', failure('error', `${error.code} ${error.message} ${error.hint}`)));
  const isBare = verdict === 'mismatch' && failures === 0;
  if (isBare)
    cases.push(testCase(file, 'recording', failure('failure', 'nothing is expected of this recording')));
  const counts = `tests="${cases.length}" failures="${failures + (isBare ? 1 : 0)}" errors="${error ? 1 : 0}"`;
  return [`  <testsuite name="${escaped(file)}" ${counts}>`, ...cases, '  </testsuite>'].join('\n');
}

export const toJunit = (reports: readonly Report[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="guard replay">',
    ...reports.map(suite),
    '</testsuites>',
    '',
  ].join('\n');
