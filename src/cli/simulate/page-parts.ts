/** Parts of the page. Any text inserted into them stays text. */
import { plain } from '../../core/plain.ts';
import { thousands } from './words.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const safe = (text: string): string =>
  plain(text).replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);

/** With a title: what a pointer at rest on it shows. */
export type Cell = string | number | { readonly text: string; readonly title: string };

function cell(one: Cell): string {
  if (typeof one === 'number') return `<td class="n">${thousands(one)}</td>`;
  if (typeof one === 'string') return `<td>${breakable(one)}</td>`;
  return `<td class="name" title="${safe(one.title)}">${safe(one.text)}</td>`;
}

/** A path may be broken after each of its directories, and a word nowhere. */
const breakable = (text: string): string => safe(text).replaceAll('/', '/<wbr>');

export function htmlTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const heads = head.map((one) => `<th>${safe(one)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
  return `<div class="wide"><table><thead><tr>${heads}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

export const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${safe(title)}</h2>\n${parts.filter((part) => part !== '').join('\n')}\n</section>`;

export const figure = (count: number, what: string): string =>
  `<div><strong>${thousands(count)}</strong><span>${safe(what)}</span></div>`;
