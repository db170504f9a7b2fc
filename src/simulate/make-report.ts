/** Turns the counts of a simulation into its report. */
import { asList } from '../core/json-object.ts';
import { rfc3339 } from '../core/rfc3339.ts';
import type { DeniedGroup, DeniedShown, HookCost, LossShown, SimulationReport } from './report.ts';
import type { Simulated } from './simulate.ts';
import type { DeniedCall } from './tally/denials.ts';
import type { LossThen } from './tally/losses.ts';

export interface Showing {
  readonly top: number;
  /** Include text of files and words of command lines. */
  readonly show: boolean;
}

type Around = Pick<SimulationReport, 'transcripts' | 'bytes' | 'unreadable' | 'policy'> & {
  readonly ms_each?: number | undefined;
};

export function reportOf(
  { world, from_ms, to_ms }: Simulated,
  around: Around,
  showing: Showing,
): SimulationReport {
  const { ms_each, ...head } = around;
  const { counts, denials, losses, contention, overlaps, actors } = world;
  const { unjudged_commands, unjudged_writes, locks_as_told, ...calls } = counts;
  const { top } = showing;
  const shown = denials.kept.map((one) => deniedShown(one, showing));
  const lost = losses.proven.toSorted((a, b) => b.lines.length - a.lines.length || a.at_ms - b.at_ms);
  return {
    ...head,
    from: from_ms === null ? null : rfc3339(from_ms),
    to: to_ms === null ? null : rfc3339(to_ms),
    ...actors.count(),
    calls,
    denied: {
      calls: denials.total(),
      by_error_type: denials.by_error_type(),
      by_outcome: denials.by_outcome(),
      locks_as_told,
      groups: groupsOf(shown).slice(0, top),
      list: shown.slice(0, LISTED_MAX),
      left_off: Math.max(0, denials.total() - LISTED_MAX),
    },
    lost: {
      proven: lost.length,
      lines: lost.reduce((sum, { lines }) => sum + lines.length, 0),
      would_be_denied: lost.filter(({ would_be_denied }) => would_be_denied).length,
      list: lost.slice(0, top).map((one) => lossShown(one, showing)),
      left_off: Math.max(0, lost.length - top),
      unprovable: Object.fromEntries(losses.unprovable),
    },
    not_judged: {
      commands_git: unjudged_commands.git,
      commands_unreadable: unjudged_commands.unreadable,
      writes: unjudged_writes,
    },
    contention: {
      files: contention.files().slice(0, top),
      directories: contention.directories().slice(0, top),
    },
    side_by_side: { pairs: overlaps.pairs(), most_at_once: overlaps.most_at_once() },
    cost: costOf(world.hooks.total(), world.hooks.by_event(), ms_each),
  };
}

const LISTED_MAX = 1_000;

function costOf(hooks: number, by_event: HookCost['by_event'], ms_each: number | undefined): HookCost {
  const head = { hooks, by_event };
  return ms_each === undefined ? head : { ...head, ms_each, seconds: Math.round((hooks * ms_each) / 1000) };
}

/** A refusal quotes the refused command line, and command lines may contain secrets. */
const WITHHELD = 'Not shown because it may quote the command line; use --show.';
/** Details of a refusal that are data, without words of a command line. */
const SAFE_DETAILS = new Set([
  ...['path', 'baseline_hash', 'current_disk_hash', 'cause', 'changed_by'],
  ...['holder', 'holders', 'mode', 'since', 'expires_at', 'holder_state', 'also'],
]);

function deniedShown(
  { at_ms, agent, tool, path, denial, outcome }: DeniedCall,
  { show }: Showing,
): DeniedShown {
  const { error_type, message, recovery_hint, details } = denial;
  const isQuoted = !show && (tool === 'Bash' || tool === 'PowerShell');
  const safe = Object.entries(details).filter(([name]) => show || SAFE_DETAILS.has(name));
  return {
    ...{ at: rfc3339(at_ms), agent, tool, file: path, error_type, outcome },
    also: asList(details['also']).filter((one) => typeof one === 'string'),
    message: isQuoted ? WITHHELD : message,
    recovery_hint: isQuoted ? '' : recovery_hint,
    details: Object.fromEntries(safe),
  };
}

function groupsOf(shown: readonly DeniedShown[]): readonly DeniedGroup[] {
  const groups = new Map<string, DeniedShown[]>();
  for (const one of shown) {
    const name = `${[one.error_type, ...one.also].join(' ')} ${one.file}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(one);
  }
  return [...groups.values()]
    .flatMap((group): DeniedGroup[] => {
      const [first] = group;
      if (first === undefined) return [];
      const agents = new Set(group.map(({ agent }) => agent)).size;
      return [{ file: first.file, error_type: first.error_type, calls: group.length, agents, first }];
    })
    .sort((a, b) => b.calls - a.calls || (a.first.at < b.first.at ? -1 : 1));
}

function lossShown(loss: LossThen, { show }: Showing): LossShown {
  const { at_ms, path, how, by, made_by, made_ms, lines, would_be_denied } = loss;
  return {
    ...{ at: rfc3339(at_ms), file: path, how, by, made_by, made_at: rfc3339(made_ms), lines: lines.length },
    would_be_denied,
    ...(show ? { text: lines } : {}),
  };
}
