/** `"undo"` of the configuration: what is kept of files. */
import { isGuardError } from '../core/error.ts';
import { parseGlob } from '../core/glob/parse.ts';
import { UNDO_MAX } from '../core/undo-limits.ts';
import type { UndoLayer } from '../core/undo-limits.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { didYouMean } from './suggest.ts';

export const UNDO_KEYS = ['enabled', 'max_mb', 'max_age', 'exclude'] as const;
/** Sweeping happens about once an hour. */
export const UNDO_AGE_MIN_MS = 3_600_000;
export const UNDO_GLOBS_MAX = 64;

type Report = (pointer: string, reason: string, hint: string) => void;
type Fields = Readonly<Record<string, unknown>>;

export function checkUndo(raw: unknown, report: Report): UndoLayer {
  if (raw === undefined) return {};
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    report('/undo', '"undo" must be an object', 'Write {"max_mb": 64, "max_age": "168h", "exclude": []}.');
    return {};
  }
  const fields = raw as Fields;
  for (const name of Object.keys(fields))
    if (!UNDO_KEYS.some((known) => known === name))
      report(`/undo/${name}`, `"undo" has no key "${name.slice(0, 60)}"`, didYouMean(name, UNDO_KEYS));
  const found = {
    enabled: truth(fields['enabled'], report),
    max_mb: megabytes(fields['max_mb'], report),
    max_age_ms: age(fields['max_age'], report),
    exclude: globs(fields['exclude'], report),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function truth(raw: unknown, report: Report): boolean | undefined {
  if (raw === undefined || typeof raw === 'boolean') return raw;
  report('/undo/enabled', '"enabled" must be true or false', 'Write true or false, without quotes.');
  return undefined;
}

function megabytes(raw: unknown, report: Report): number | undefined {
  const isRight = typeof raw === 'number' && Number.isInteger(raw) && raw >= 1 && raw <= UNDO_MAX.mb;
  if (raw === undefined || isRight) return raw;
  report('/undo/max_mb', '"max_mb" must be a whole number', `From 1 to ${UNDO_MAX.mb}, in MiB.`);
  return undefined;
}

function age(raw: unknown, report: Report): number | undefined {
  if (raw === undefined) return undefined;
  const value = parseDuration(raw);
  if (value !== null && value >= UNDO_AGE_MIN_MS && value <= UNDO_MAX.age_ms) return value;
  const range = `from ${formatDuration(UNDO_AGE_MIN_MS)} to ${formatDuration(UNDO_MAX.age_ms)}`;
  report('/undo/max_age', '"max_age" is not a duration that is possible here', `Write one ${range}: "168h".`);
  return undefined;
}

function globs(raw: unknown, report: Report): readonly string[] | undefined {
  if (raw === undefined) return undefined;
  const isList = Array.isArray(raw) && raw.length <= UNDO_GLOBS_MAX;
  if (isList && raw.every((one): one is string => typeof one === 'string' && isGlob(one))) return raw;
  const hint = `Write at most ${UNDO_GLOBS_MAX} globs: ["*.sqlite", "fixtures/private/**"].`;
  report('/undo/exclude', '"exclude" must be a list of globs', hint);
  return undefined;
}

function isGlob(text: string): boolean {
  try {
    parseGlob(text);
    return text !== '';
  } catch (error) {
    if (isGuardError(error)) return false;
    throw error;
  }
}
