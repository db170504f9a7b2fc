/** The pages about tools name every field that their answers have, and no field that no answer has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE } from '../install/scratch.ts';
import { fieldsOf, outlines } from './json.ts';
import { answersByPage } from './tool-answers.ts';

/** Patterns, and outlines whose answers other tests check. */
const OTHER = new Set(['{a,b}', '{"since_read":true,"by"}']);

/** Pages that describe the rest of a page's answers. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'docs/mcp.md': ['docs/coordination.md'],
  'docs/coordination.md': ['docs/mcp.md'],
  'docs/harness.md': ['docs/mcp.md', 'docs/coordination.md'],
};

const textOf = (page: string): string => readFileSync(join(PACKAGE, page), 'utf8');
const wordsIn = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

/** Everything on the page that is set as code. */
const codeOn = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/```.*?```|`[^`\n]+`/gs)].flatMap(([code]) => wordsIn(code));

/** All objects in the value, at any depth; what the facts of an error are depends on its code. */
const objectsIn = (value: unknown): readonly object[] =>
  Array.isArray(value)
    ? value.flatMap(objectsIn)
    : typeof value === 'object' && value !== null
      ? [value, ...Object.entries(value).flatMap(([name, one]) => (name === 'facts' ? [] : objectsIn(one)))]
      : [];

/** The outline and every one in it: `{"agents":[{"id"}]}` is two. */
const allIn = (outline: string): readonly string[] =>
  [...outline.matchAll(/\{/g)].map(({ index }) => outline.slice(index, endOf(outline, index)));

function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

it('the pages about tools name the fields of real answers', async () => {
  const answers = await answersByPage();
  const wrong = Object.entries(answers).map(([page, given]) => {
    const known = objectsIn(given).map((one) => new Set(Object.keys(one)));
    const shown = outlines.filter((one) => one.page === page && !OTHER.has(one.text)).map(({ text }) => text);
    const named = new Set([page, ...(ALSO[page] ?? [])].flatMap(codeOn));
    return {
      page,
      absent: shown
        .filter((text) => text.startsWith('{'))
        .flatMap(allIn)
        .filter((one) => fieldsOf(one).length > 0)
        .filter((one) => !known.some((keys) => fieldsOf(one).every((name) => keys.has(name)))),
      unnamed: [...new Set(known.flatMap((keys) => [...keys]))].filter((name) => !named.has(name)).sort(),
    };
  });
  expect(wrong).toEqual(Object.keys(answers).map((page) => ({ page, absent: [], unnamed: [] })));
});
