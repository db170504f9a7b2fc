/** The JSON in the README and the documents: whole examples, and the fields of answers (`{"path","branch"}`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../install/scratch.ts';

export interface Shown {
  readonly page: string;
  readonly text: string;
}

/** Every page that people read, except decisions, which describe the time when they were made. */
export const PAGES = [
  ...['README.md', 'CONTRIBUTING.md'],
  ...['docs', 'skills', 'commands'].flatMap((folder) =>
    readdirSync(join(PACKAGE, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  ),
].filter((page) => page.endsWith('.md') && !page.includes('decisions/'));

const FENCED = /^ *```(\w*)\n(.*?)^ *```/gms;
const INLINE = /(?<!`)`([[{][^`\n]*["}\]])`(?!`)/g;

const textsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(FENCED)].flatMap(([, language, block = '']) =>
    language === 'json' ? [block] : block.split('\n').filter((line) => /^ *\{"/.test(line)),
  ),
  ...[...text.replace(FENCED, '').matchAll(INLINE)].map(([, inline = '']) => inline),
];

const shown: readonly Shown[] = PAGES.flatMap((page) =>
  textsIn(readFileSync(join(PACKAGE, page), 'utf8')).map((text) => ({ page, text: text.trim() })),
);

/** Completes an example to valid JSON: one may contain `{…}`, or a single field without braces. */
const completed = (text: string): string =>
  text.replaceAll('{…}', '{}').replace(/^"[^"]+":.*$/s, (field) => `{${field}}`);

export interface Example extends Shown {
  readonly value: unknown;
}

const parsed = ({ page, text }: Shown): readonly Example[] => {
  try {
    return [{ page, text: completed(text), value: JSON.parse(completed(text)) as unknown }];
  } catch {
    return [];
  }
};

/** Examples with values. */
export const examples: readonly Example[] = shown.flatMap(parsed).filter(({ text }) => text !== '{}');

/** Examples that only name fields, possibly without quotes. */
export const outlines: readonly Shown[] = shown.filter((one) => parsed(one).length === 0);

/** The fields on the first level of an outline, in order. */
export function fieldsOf(outline: string): readonly string[] {
  let [depth, inner] = [0, ''];
  for (const sign of outline) {
    if (/[}\]]/.test(sign)) depth--;
    if (depth === 1 || (depth === 0 && inner !== '')) inner += sign;
    if (/[{[]/.test(sign)) depth++;
  }
  return [...inner.matchAll(/"?([A-Za-z_]\w*)"?\s*(?::[^,]*)?(?:,|\}|$)/g)].map(([, name = '']) => name);
}
