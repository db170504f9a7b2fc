/** How text and page name what a simulation found. */
import type { DeniedShown, SimulationReport } from '../../simulate/report.ts';
import { counted } from '../view/counted.ts';

/** `12,345` */
export const thousands = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const many = (count: number, one: string, more?: string): string =>
  counted(count, one, more).replace(/^\d+/, thousands(count));

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const;

export function size(bytes: number): string {
  const [unit, length] = UNITS.find(([, one]) => bytes >= one) ?? ['bytes', 1];
  return `${length === 1 ? bytes : (bytes / length).toFixed(1)} ${unit}`;
}

/** To the minute: `2026-11-26 14:15`. */
export const minute = (at: string): string => at.slice(0, 16).replace('T', ' ');

const FROM: Readonly<Record<SimulationReport['policy']['from'], string>> = {
  option: 'as asked for',
  repository: "the repository's own",
  default: 'the default of a simulation',
};

export const policyWords = ({ policy }: SimulationReport): string =>
  `preset ${policy.preset} (${FROM[policy.from]}): locks ${policy.enforcement}, unread files ${policy.unread}`;

/** All that was wrong with it, the most urgent first. */
export const kindsOf = ({ error_type, also }: DeniedShown): readonly string[] => [error_type, ...also];

/** What became of the refused calls without guard. */
export function outcomeWords({ denied }: SimulationReport): string {
  const { written, failed, unknown } = denied.by_outcome;
  const parts = [
    ...(written > 0 ? [`${thousands(written)} went through`] : []),
    ...(failed > 0 ? [`${thousands(failed)} failed anyway`] : []),
    ...(unknown > 0 ? [`of ${thousands(unknown)} the transcript does not tell`] : []),
  ];
  return parts.join(', ');
}

const DOUBTS: Readonly<Record<string, string>> = {
  not_shown: 'the transcripts do not show the text',
  not_kept: 'the text was too far back to be kept',
  seen_in_part: 'a part of the file had been read since',
  by_command: 'a command wrote it',
};

export const doubtWords = ({ lost }: SimulationReport): readonly string[] =>
  Object.entries(lost.unprovable).map(([why, count]) => `${thousands(count)} (${DOUBTS[why] ?? why})`);

export function unjudgedWords({ not_judged, unreadable }: SimulationReport): readonly string[] {
  const { commands_git, commands_unreadable, writes } = not_judged;
  const rows: readonly (readonly [number, string])[] = [
    [commands_git, 'command lines with git, which would have to be asked in the repository of then'],
    [commands_unreadable, 'command lines that write where the line alone does not say'],
    [writes, 'writes over a content that a command of the same agent may have left'],
    [unreadable.files, 'transcripts that could not be read, or not to their end'],
    [unreadable.lines, 'lines that are no JSON'],
    [unreadable.cut_off, 'transcripts whose last line is cut off'],
  ];
  return rows.filter(([count]) => count > 0).map(([count, what]) => `${thousands(count)} ${what}`);
}

export function costWords({ cost }: SimulationReport): string {
  const { hooks, ms_each, seconds } = cost;
  const each =
    ms_each === undefined || seconds === undefined
      ? '; --cost measures one'
      : `, ${ms_each} ms each on this machine now: ${thousands(seconds)} s, one after the other`;
  return `${many(hooks, 'hook process', 'hook processes')}${each}`;
}

export function lostWords({ lost }: SimulationReport): string {
  if (lost.proven === 0) return 'Nothing is proven to be lost';
  const { proven, would_be_denied } = lost;
  const those = proven === 1 ? 'it' : 'all of them';
  const refused = would_be_denied === proven ? those : `${thousands(would_be_denied)} of them`;
  return `Lost for certain: ${many(lost.lines, 'line')} in ${many(proven, 'write')}; guard would have refused ${refused}`;
}
