/** Translates paths of a recording to paths of a scratch directory, and back. */
import { isObject } from '../core/json-object.ts';

export interface ReplayPlaces {
  readonly repo: string;
  readonly home: string;
}

/** Their names in recordings; `/home/u` is the home directory in the oldest ones. */
const RECORDED = /(?<![\w.~-])(\/repo|\/home\/user|\/home\/u)(?![\w-]|\.\w)/g;

const placeOf = (name: string, places: ReplayPlaces): string =>
  name === '/repo' ? places.repo : places.home;

export const toScratch = (text: string, places: ReplayPlaces): string =>
  text.replace(RECORDED, (name) => placeOf(name, places));

export const toRecorded = (text: string, places: ReplayPlaces): string =>
  text.replaceAll(places.repo, '/repo').replaceAll(places.home, '/home/user');

/** The same for every text inside a JSON value, except names of fields. */
export function deepToScratch<T>(value: T, places: ReplayPlaces): T {
  return mapTexts(value, (text) => toScratch(text, places)) as T;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
