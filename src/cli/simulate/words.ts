/** How text and page describe what a simulation found. */
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
  option: 'from --preset',
  repository: "this repository's configuration",
  default: 'the default for simulations',
};

export const policyWords = ({ policy }: SimulationReport): string =>
  `preset ${policy.preset}, ${FROM[policy.from]} (enforcement ${policy.enforcement}, unread ${policy.unread})`;

/** Everything that was wrong with the call, most urgent first. */
export const kindsOf = ({ error_type, also }: DeniedShown): readonly string[] => [error_type, ...also];

/** How the denied calls ended without guard. */
export function outcomeWords({ denied }: SimulationReport): string {
  const { written, failed, unknown } = denied.by_outcome;
  const parts = [
    ...(written > 0 ? [`${thousands(written)} succeeded at the time`] : []),
    ...(failed > 0 ? [`${thousands(failed)} failed anyway`] : []),
    ...(unknown > 0 ? [`${thousands(unknown)} have no result in the transcript`] : []),
  ];
  return parts.join(', ');
}

const DOUBTS: Readonly<Record<string, string>> = {
  not_shown: 'the transcripts do not show the text',
  not_kept: 'the text was too old to be still in memory',
  seen_in_part: 'the writer had read part of the file since',
  by_command: 'a shell command wrote the file',
};

export const doubtWords = ({ lost }: SimulationReport): readonly string[] =>
  Object.entries(lost.unprovable).map(([why, count]) => `${thousands(count)} (${DOUBTS[why] ?? why})`);

export function unjudgedWords({ not_judged, unreadable }: SimulationReport): readonly string[] {
  const { commands_git, commands_unreadable, writes } = not_judged;
  const rows: readonly (readonly [number, string])[] = [
    [commands_git, 'git command lines: only git in the repository of that time could say what they touch'],
    [commands_unreadable, 'command lines whose targets are only known when they run'],
    [writes, 'writes to a file that the same agent may have changed by a command'],
    [unreadable.files, 'transcripts that could not be read to the end'],
    [unreadable.lines, 'lines that are not JSON'],
    [unreadable.cut_off, 'transcripts with an incomplete last line'],
  ];
  return rows.filter(([count]) => count > 0).map(([count, what]) => `${thousands(count)} ${what}`);
}

export function costWords({ cost }: SimulationReport): string {
  const { hooks, ms_each, seconds } = cost;
  const each =
    ms_each === undefined || seconds === undefined
      ? ' (--cost measures one)'
      : `, ${ms_each} ms each on this machine: ${thousands(seconds)} s in total`;
  return `${many(hooks, 'hook process', 'hook processes')}${each}`;
}

export function lostWords({ lost }: SimulationReport): string {
  if (lost.proven === 0) return 'No provable loss';
  const { proven, would_be_denied } = lost;
  const those = proven === 1 ? 'it' : 'all of them';
  const refused = would_be_denied === proven ? those : `${thousands(would_be_denied)} of them`;
  return `Provably lost: ${many(lost.lines, 'line')} in ${many(proven, 'write')}; guard would have denied ${refused}`;
}
