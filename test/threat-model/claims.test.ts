/** Every claim of the threat model has tests named after it, and every test here belongs to an existing claim. */
import { describe, expect, test } from 'vitest';
import ts from 'typescript';
import { CLAIMS, NO_CLAIMS } from './claims.ts';
import { DOCUMENT, type Passage, passagesOf, sentencesOf, threatModel } from './document.ts';
import { FOLDER, namedIn, namedTests } from './named-tests.ts';

const claims = Object.entries(CLAIMS).map(([name, claim]) => ({ name, ...claim }));
const TABLE = `${FOLDER}/claims.ts`;
const passages = threatModel().filter(({ under, attempt }) => attempt !== null || !NO_CLAIMS.includes(under));
const titles = new Set(namedTests().map(({ title }) => title));

type NamedClaim = (typeof claims)[number];

const isOf = (claim: NamedClaim, { under, attempt }: Passage): boolean =>
  'attempt' in claim ? claim.attempt === attempt : attempt === null && claim.under === under;

const phrasesOf = (passage: Passage): readonly string[] =>
  claims.filter((claim) => isOf(claim, passage)).flatMap(({ says }) => says);

const isKnown = (passage: Passage): boolean => claims.some((claim) => isOf(claim, passage));

const placeOf = ({ under, attempt }: Passage): string =>
  attempt === null ? `the text under "${under}"` : `the row "${attempt}"`;

describe(DOCUMENT, () => {
  test('has every row and every section of claims in claims.ts', () => {
    const missing = passages
      .filter((passage) => !isKnown(passage))
      .map(
        (passage) =>
          `${placeOf(passage)}: name it in CLAIMS (a section without claims: NO_CLAIMS) of ${TABLE}`,
      );
    expect(missing).toEqual([]);
  });

  test('says in every sentence what a claim in claims.ts has of it', () => {
    const missing = passages.filter(isKnown).flatMap((passage) =>
      sentencesOf(passage.answer)
        .filter((sentence) => !phrasesOf(passage).some((phrase) => touches(sentence, phrase)))
        .map((sentence) => `${placeOf(passage)}: test "${sentence}", and put it into "says" of its claim`),
    );
    expect(missing).toEqual([]);
  });

  test('still has what claims.ts says of it, word by word', () => {
    const stale = claims.flatMap((claim) => {
      const own = passages.filter((passage) => isOf(claim, passage));
      if (own.length !== 1)
        return [`"${claim.name}": ${own.length} rows or sections are as "attempt" or "under" says`];
      return claim.says
        .filter((phrase) => !own.some(({ answer }) => answer.includes(phrase)))
        .map(
          (phrase) =>
            `"${claim.name}": the document no longer says "${phrase}"; look at its tests, then here`,
        );
    });
    expect(stale).toEqual([]);
  });
});

/** A phrase may extend past the end of a sentence, and a sentence past the phrase. */
const touches = (sentence: string, phrase: string): boolean =>
  sentence.includes(phrase) || sentencesOf(phrase).some((part) => sentence.includes(part));

describe('every claim', () => {
  test('has tests named after it', () => {
    const missing = claims
      .filter(({ name }) => !titles.has(name))
      .map(({ name }) => `no tests: write describe('${name}', …) at the top of a test file in ${FOLDER}`);
    expect(missing).toEqual([]);
  });

  test('says something', () => {
    expect(claims.filter(({ says }) => says.length === 0)).toEqual([]);
  });

  test('has a test that runs everywhere', () => {
    const idle = [...titles].filter((title) =>
      namedTests().every((named) => named.title !== title || named.runs === 0),
    );
    expect(idle).toEqual([]);
  });
});

describe('every test', () => {
  test('is of a claim in claims.ts', () => {
    const stale = namedTests().filter(({ title }) => !(title in CLAIMS));
    expect(stale.map(({ file, title }) => `${file}: "${title}" is no claim of ${TABLE}`)).toEqual([]);
  });
});

describe('the reading of the document', () => {
  test('has rows of attempts, and no others; running text by its section', () => {
    const markdown = [
      '# Title\n\nIntro.\n\n## One\n\n| Attempt | What happens |\n|---|---|\n| a `x` | b. C |\n| d \\| e | f |\n',
      '## Two\n\nText of\ntwo lines. More.\n\n| Trusted | Because |\n|---|---|\n| g | h |\n',
    ].join('\n');
    expect(passagesOf(markdown)).toEqual([
      { under: '', attempt: null, answer: 'Intro.' },
      { under: 'One', attempt: 'a `x`', answer: 'b. C' },
      { under: 'One', attempt: 'd \\| e', answer: 'f' },
      { under: 'Two', attempt: null, answer: 'Text of two lines. More.' },
    ]);
    expect(sentencesOf('Not judged. **Whoever** did. `x` is so: it is. e.g. this')).toEqual([
      'Not judged.',
      '**Whoever** did.',
      '`x` is so: it is. e.g. this',
    ]);
  });
});

describe('the reading of tests', () => {
  test.each([
    [`describe('a', () => { it('b', () => {}); });`, 1],
    [
      `describe('a', () => { describe('c', () => { it.each([1])('b', () => {}); it('d', () => {}); }); });`,
      2,
    ],
    [`describe('a', () => { it.skipIf(x)('b', () => {}); it.todo('c'); });`, 0],
    [`describe.skip('a', () => { it('b', () => {}); });`, 0],
    [`describe('a', () => {});`, 0],
    [`test('a', () => {});`, 1],
  ])('%s: %i run', (text, runs) => {
    const tree = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true);
    expect(namedIn('x.ts', tree)).toEqual([{ file: 'x.ts', title: 'a', runs }]);
  });
});
