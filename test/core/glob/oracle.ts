/** Another way to the same answer: a regular expression for each pattern, and every path there is. */
import fc from 'fast-check';

/** Only what the generators below make. */
export function regexOf(pattern: string): RegExp {
  const names = pattern.split('/');
  const body = names
    .map((name, at) => {
      const isLast = at === names.length - 1;
      if (name === '**') return isLast ? '(?:[^/]+(?:/[^/]+)*)' : '(?:[^/]+/)*';
      return nameRegex(name) + (isLast ? '' : '/');
    })
    .join('');
  // "a/**" is "a" too.
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

/** Every string of 1 to `most` of these, joined. */
export function all(parts: readonly string[], most: number, joint = ''): string[] {
  const found: string[] = [...parts];
  let last = found;
  for (let length = 2; length <= most; length++) {
    last = last.flatMap((head) => parts.map((part) => head + joint + part));
    found.push(...last);
  }
  return found;
}

/** A name of at most three tokens, so that what two of them have in common is at most six characters long. */
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
