/** An independent way to the same answer: a regular expression per pattern, applied to every possible path. */
import fc from 'fast-check';

/** Handles only what the generators below produce. */
export function regexOf(pattern: string): RegExp {
  const names = pattern.split('/');
  const body = names
    .map((name, at) => {
      const isLast = at === names.length - 1;
      if (name === '**') return isLast ? '(?:[^/]+(?:/[^/]+)*)' : '(?:[^/]+/)*';
      return nameRegex(name) + (isLast ? '' : '/');
    })
    .join('');
  // "a/**" also matches "a".
  return new RegExp(
    `^(?:${body}${pattern.endsWith('/**') ? `|${regexOf(pattern.slice(0, -3)).source.slice(1, -1)}` : ''})$`,
    'u',
  );
}

const nameRegex = (name: string): string =>
  `(?=[^/])${name
    .replace(/\?/g, '[^/]')
    .replace(/\*/g, '[^/]*')
    .replace(/\[!/g, '[^/')
    .replace(/\{/g, '(?:')
    .replace(/\}/g, ')')
    .replace(/,/g, '|')}`;

/** Every string of 1 to `most` of these parts, joined. */
export function all(parts: readonly string[], most: number, joint = ''): string[] {
  const found: string[] = [...parts];
  let last = found;
  for (let length = 2; length <= most; length++) {
    last = last.flatMap((head) => parts.map((part) => head + joint + part));
    found.push(...last);
  }
  return found;
}

/** A name of at most three tokens: the shortest name that two of them share has at most six characters. */
export const namePattern = fc
  .array(fc.constantFrom('a', 'b', '?', '*', '[ab]', '[!a]', '{a,bb}'), { minLength: 1, maxLength: 3 })
  .map((tokens) => tokens.join('').replaceAll('**', '*'));

/** Names of one character each. */
export const pathPattern = fc
  .array(fc.constantFrom('a', 'b', 'c', '?', '*', '**', '[ab]', '[!b]', '{a,c}'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.join('/').replaceAll('**/**', '**'));
