/** Reads the keys of file-keys.ts from a file's fields. */
import { asObject, type JsonObject as Fields } from '../core/json-object.ts';
import type { FileKey } from './file-key-kinds.ts';
import type { ReportWrong as Report } from './read-settings.ts';

export const fieldAt = (fields: Fields, place: string): unknown =>
  place.split('/').reduce<unknown>((value, name) => asObject(value)[name], fields);

export function readFileKey<T>(key: FileKey<T>, fields: Fields, report: Report): T | undefined {
  const raw = fieldAt(fields, key.place);
  if (raw === undefined) return undefined;
  const parsed = key.parse(raw);
  if ('value' in parsed) return parsed.value;
  report(`/${key.place}`, parsed.wrong.reason, parsed.wrong.hint);
  return undefined;
}

/** A layer with the rows' fields that the file has. */
export function readKeys<L extends object>(
  keys: { readonly [K in keyof L]-?: FileKey<NonNullable<L[K]>> },
  fields: Fields,
  report: Report,
): L {
  const read = Object.entries<FileKey<unknown>>(keys).map(([name, key]) => [
    name,
    readFileKey(key, fields, report),
  ]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as L;
}
