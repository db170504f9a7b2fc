/** What needs a person, most urgent first: deadlocks, long waits, recent refusals, clients without guard. Pure. */
import { withoutRepeats } from '../without-repeats.ts';
import { grouped } from '../grouped.ts';
import { plain } from '../plain.ts';
import { age } from '../time.ts';
import { cycleNeed } from './cycle-need.ts';
import type { Need, NeedsView } from './need.ts';
import { strangerNeeds } from './stranger-needs.ts';

/** Shorter waits appear only in the list of waits. */
const LONG_MS = 30_000;
/** An agent that is refused once or twice does what the refusal says; one that is refused again does not get on. */
const STUCK_TIMES = 3;

export const needsIn = (view: NeedsView): readonly Need[] =>
  withoutRepeats<Need>([
    ...view.told.cycles.map((cycle) => cycleNeed(view, cycle)),
    ...longWaits(view),
    ...denials(view),
    ...(isAny(view.told.unjoined) || isAny(view.told.other_clients) ? strangerNeeds(view) : []),
    ...noticed(view),
  ]);

const isAny = (clients: readonly object[] | null): boolean => (clients ?? []).length > 0;

function longWaits({ told, now_ms, nameOf, fullNameOf }: NeedsView): Need[] {
  return told.waits
    .filter(({ kind, path }) => kind === 'wait' && path !== '')
    .map((edge) => ({ ...edge, age_ms: now_ms - Date.parse(edge.since ?? '') }))
    .filter(({ age_ms }) => age_ms >= LONG_MS)
    .sort((a, b) => b.age_ms - a.age_ms)
    .map(({ from, to, path, because, age_ms, lsn }) => ({
      kind: 'wait',
      id: JSON.stringify(['long', from, to, path, because]),
      label: 'waits',
      tone: 'yellow',
      age_ms,
      who: `${nameOf(from)} for ${nameOf(to)}`,
      what: plain(path),
      detail: [
        `${fullNameOf(from)} has waited ${age(age_ms)} for ${plain(path)}`,
        `${because === 'ticket' ? 'queued before it' : 'held by'}: ${fullNameOf(to)}`,
      ],
      ...(because === 'hold' ? { frees: { by: to, paths: [path] } } : {}),
      ...(lsn === null ? {} : { lsn }),
    }));
}

/** Repeated refusals are counted. */
function denials({ told, now_ms, nameOf, fullNameOf }: NeedsView): Need[] {
  const groups = grouped(told.denials, ({ agent, error_type, paths }) =>
    JSON.stringify(['denied', agent, error_type, ...paths]),
  );
  return [...groups].map(([id, all]) => {
    const [{ agent, at, lsn, paths, error_type, message }] = all;
    const times = all.length === 1 ? '' : ` (${all.length} times)`;
    const files = paths.map(plain);
    const age_ms = now_ms - Date.parse(at);
    return {
      ...(all.length < STUCK_TIMES ? {} : { kind: 'denied' as const }),
      id,
      lsn,
      label: 'denied',
      tone: 'plain',
      age_ms,
      who: `${nameOf(agent)}: ${error_type}${times}`,
      what: files.length > 1 ? `${files.length} files, ${files[0] ?? ''}` : (files[0] ?? ''),
      detail: [
        `${fullNameOf(agent)} was refused ${age(age_ms)} ago${times}`,
        error_type,
        plain(message),
        ...files,
      ],
    };
  });
}

function noticed({ told, nameOf, now_ms }: NeedsView): Need[] {
  return told.noticed.map(({ what, file, event, detail, agent, at_wall_ms }) => {
    const words =
      what === 'hook'
        ? `hook for ${event}, added by ${nameOf(agent)}: ${detail}`
        : `after a command of ${nameOf(agent)}, ${detail}`;
    return {
      kind: 'noticed',
      id: JSON.stringify(['noticed', at_wall_ms, what, file, event, detail, agent]),
      label: 'look at',
      tone: 'yellow',
      age_ms: now_ms - at_wall_ms,
      who: plain(words),
      what: plain(file),
      sentence: 'who',
      detail: [plain(file), plain(words)],
    };
  });
}
