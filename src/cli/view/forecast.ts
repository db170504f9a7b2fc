/** A forecast in 80 columns. */
import { plain } from '../../core/plain.ts';
import type { FileConflict, LineRange } from '../../forecast/merged.ts';
import type { ForecastReport } from '../../operations/forecast.ts';
import type { Shell } from '../shell.ts';

const COLUMNS = 80;
const SHOWN_MAX = 40;
const FILES_MAX = 10;

export function forecastLines(told: ForecastReport, { color }: Pick<Shell, 'color'>): readonly string[] {
  const { checkouts, trunk, trunk_ref, pairs, order, hubs, runs = [] } = told;
  const looked = checkouts.filter(({ looked_at }) => looked_at !== 'nothing').length;
  const own = pairs.filter(({ of_trunk }) => !of_trunk);
  const late = pairs.length - own.length;
  const name = trunk_ref === null ? 'no trunk' : `trunk ${plain(trunk_ref.name)}`;
  const none = trunk.length + pairs.length === 0 ? [color.green('Nothing conflicts.')] : [];
  return [
    ...wrapped(
      `${name}; checkouts: ${looked}; conflicts with the trunk: ${trunk.length}, with each other: ${own.length}`,
    ),
    ...none,
    ...section(
      color.bold('With the trunk'),
      trunk.flatMap((one) => conflictLinesOf(plain(one.id), one.conflicts)),
    ),
    ...section(
      color.bold('With each other'),
      own.flatMap(({ a, b, conflicts }) => conflictLinesOf(`${plain(a)} and ${plain(b)}`, conflicts)),
    ),
    ...(late === 0
      ? []
      : wrapped(`${late} more pairs conflict as with the trunk: one of each has nothing new.`)),
    ...hubs.flatMap(({ id, meets }) =>
      wrapped(`${plain(id)} meets ${meets} others: merge it first, or last.`),
    ),
    ...listed('Merge first, clean: ', order.first),
    ...listed('Then: ', order.then),
    ...runs.flatMap(({ of, left_out, exit_code }) =>
      wrapped(
        `${exit_code === 0 ? 'passes' : `ends with ${exit_code ?? 'a signal'}`}: ${of.map(plain).join(', ')}` +
          (left_out.length === 0 ? '' : ` (without ${left_out.map(plain).join(', ')})`),
      ),
    ),
  ];
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length - SHOWN_MAX;
  return [
    title,
    ...lines.slice(0, SHOWN_MAX),
    ...(more > 0 ? [`  … ${more} more lines: --json has all`] : []),
  ];
}

const listed = (title: string, ids: readonly string[]): readonly string[] =>
  ids.length === 0 ? [] : wrapped(`${title}${ids.map(plain).join(', ')}`);

function conflictLinesOf(who: string, conflicts: readonly FileConflict[]): readonly string[] {
  const files = conflicts.slice(0, FILES_MAX).map((one) => `    ${cut(fileWords(one), COLUMNS - 4)}`);
  const more = conflicts.length - FILES_MAX;
  return [`  ${cut(who, COLUMNS - 2)}`, ...files, ...(more > 0 ? [`    … ${more} more files`] : [])];
}

function fileWords({ path, kind, a = [], b = [] }: FileConflict): string {
  const lines = a.length === 0 ? '' : ` ${rangeWords(a)} / ${rangeWords(b)}`;
  return `${plain(path)}${kind === 'contents' ? '' : ` (${plain(kind)})`}${lines}`;
}

const RANGES_MAX = 4;

const rangeWords = (ranges: readonly LineRange[]): string => {
  const words = ranges
    .slice(0, RANGES_MAX)
    .map(([first, last]) =>
      last < first ? `before ${first}` : first === last ? String(first) : `${first}-${last}`,
    );
  return [...words, ...(ranges.length > RANGES_MAX ? ['…'] : [])].join(',');
};

/** The end of a long name is its most telling part. */
const cut = (text: string, width: number): string =>
  text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;

/** Breaks at blanks; lines after the first are indented. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length <= COLUMNS || line === '') line = next;
    else {
      lines.push(line);
      line = `  ${word}`;
    }
  }
  return [...lines, line].map((one) => cut(one, COLUMNS));
}
