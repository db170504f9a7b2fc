/** docs/commands.md lists the fields that answers actually have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE } from '../install/scratch.ts';
import { answersOfAll, ELSEWHERE } from './answers.ts';
import { fieldsOf, outlines } from './json.ts';

const sections = readFileSync(join(PACKAGE, 'docs/commands.md'), 'utf8').split(/^## guard /m);
const named = (outline: string): boolean =>
  Object.values(ELSEWHERE)
    .flat()
    .some((begin) => outline.startsWith(begin));

/** Fields that answers have only in situations that this story does not contain. */
const SELDOM: Readonly<Record<string, readonly string[]>> = {
  '{"changed","healthy"': ['diff'],
  '{"line"': ['locks', 'waiters', 'waits_ms', 'is_victim'],
  '{"state"': ['off_until'],
  '{"checkouts"': ['runs'],
};

it('docs/commands.md lists the fields of answers', () => {
  const answers = answersOfAll();
  const found = outlines
    .filter(({ page, text }) => page === 'docs/commands.md' && !named(text))
    .map(({ text }) => {
      const fields = fieldsOf(text);
      const given = sectionsOf(text).flatMap((section) => answers.get(section) ?? []);
      const [best] = given
        .flatMap(objectsIn)
        .map((answer) => Object.keys(answer))
        .filter((names) => names.filter((name) => fields.includes(name)).length * 2 > names.length)
        .sort((a, b) => missing(fields, a).length - missing(fields, b).length);
      return { text, undocumented: missing(best ?? [], fields), absent: missing(fields, best ?? []) };
    });
  const seldom = ({ text }: { text: string }): readonly string[] =>
    Object.entries(SELDOM).find(([begin]) => text.startsWith(begin))?.[1] ?? [];
  const wrong = found.map((one) => ({ ...one, absent: missing(one.absent, seldom(one)) }));
  expect(found.length).toBeGreaterThan(25);
  expect(wrong.filter(({ undocumented, absent }) => undocumented.length + absent.length > 0)).toEqual([]);
});

it('docs/http.md lists the fields of requests and answers from the OpenAPI document', () => {
  const api = JSON.parse(readFileSync(join(PACKAGE, 'docs/openapi.json'), 'utf8')) as object;
  const known = objectsIn(api).flatMap((one) =>
    'properties' in one ? [Object.keys(one.properties as object)] : [],
  );
  const http = outlines.filter(({ page }) => page === 'docs/http.md').map(({ text }) => text);
  expect(http.length).toBeGreaterThan(8);
  expect(http.filter((text) => !known.some((names) => missing(fieldsOf(text), names).length === 0))).toEqual(
    [],
  );
});

const missing = (from: readonly string[], among: readonly string[]): readonly string[] =>
  from.filter((name) => !among.includes(name));

/** The form of errors is documented once at the top, for every command. */
const sectionsOf = (text: string): readonly string[] =>
  sections
    .filter((section) => section.includes(`\`${text}\``))
    .map((section) => /^\S+/.exec(section)?.[0] ?? '')
    .map((name) => (name === '#' ? 'lock' : name));

/** All objects in the value, at any depth. */
function objectsIn(value: unknown): readonly object[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
