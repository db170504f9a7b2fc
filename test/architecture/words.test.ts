import { describe, expect, test } from 'vitest';

import { filesIn, textOf } from './sources.ts';

const SELF = 'test/architecture/words.test.ts';
const TEXTS = filesIn(
  '.',
  /(?:\.(?:ts|[cm]?js|json|jsonl|md|ya?ml|txt)|(?:^|\/)(?:run|LICENSE|\.[\w.]+))$/,
).filter((path) => path !== SELF);

/** The project mentions only itself, its users and the clients it guards. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  'a number of an issue': /(?:^|[\s(])#\d{1,4}\b(?![\w"'`])/m,
  'a place where it was written':
    /\/work\/(?:main|shared)\b|\bshared\/(?:design|reference|seeds|payloads|sessions)\b/,
  'the host of a package registry': /\bregistry\.(?:npmjs|yarnpkg)\b|\bartifactory\b/i,
  'how it came about':
    /\bco-authored-by\b|\bgenerated (?:by|with) (?:an? )?(?:AI|Claude|LLM)\b|\b(?:first|second|third) seed\b/i,
};

describe('the repository', () => {
  test.each(Object.entries(FORBIDDEN))('does not mention %s', (_, pattern) => {
    const found = TEXTS.filter((path) => pattern.test(textOf(path))).map(
      (path) => `${path}: ${pattern.exec(textOf(path))?.[0].trim() ?? ''}`,
    );
    expect(found).toEqual([]);
  });

  test('is looked at as a whole', () => {
    for (const path of [
      'README.md',
      'package.json',
      'package-lock.json',
      '.github/workflows/ci.yml',
      '.ci/run',
      'src/core/types.ts',
    ]) {
      expect(TEXTS).toContain(path);
    }
  });

  test('the patterns find what they are for', () => {
    const samples = ['see #12', '/work/main', 'registry.npmjs.org', 'the first seed'];
    expect(Object.values(FORBIDDEN).map((pattern, at) => pattern.test(samples[at] ?? ''))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
