/** Workflow commands of GitHub Actions: an annotation for each event with an unexpected answer. */
import type { Report } from '../replay.ts';
import { toText } from './text.ts';

const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotation = (file: string, line: number, message: string): string =>
  `::error file=${property(file)},line=${line},title=guard replay::${data(message)}`;

function annotations({ file, verdict, error, checks }: Report): string[] {
  if (error) return [annotation(file, 1, `${error.code} ${error.message}`)];
  const wrong = checks.flatMap(({ line, event, tool, differs }) =>
    differs === undefined ? [] : [annotation(file, line, `${`${event} ${tool}`.trim()}: ${differs}`)],
  );
  return verdict === 'mismatch' && wrong.length === 0
    ? [annotation(file, 1, 'nothing is expected of this recording')]
    : wrong;
}

export const toGithub = (reports: readonly Report[]): string =>
  toText(reports) +
  reports
    .flatMap(annotations)
    .map((line) => `${line}\n`)
    .join('');
