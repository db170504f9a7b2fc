/** README, "how it works", point 8: pure functions in src/core and src/settings decide; shells only find the facts. */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { filesIn, placesOf, reachedFrom, textOf } from './sources.ts';

const SHELLS = filesIn('src', /\.ts$/).filter((path) => !path.startsWith('src/core/'));
/** values.ts is only a table of words. */
const POLICY = filesIn('src/core/policy', /\.ts$/).filter((path) => !path.endsWith('/values.ts'));

const isNamed = (node: ts.Node, name: string): boolean => ts.isIdentifier(node) && node.text === name;
const isText = (node: ts.Node): boolean =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

const TIMES = /until_wall_ms|since_wall_ms/;

describe('policy', () => {
  test('no shell makes a denial of its own', () => {
    const denies = (node: ts.Node): boolean =>
      ts.isPropertyAssignment(node) && isNamed(node.name, 'error_type') && isText(node.initializer);
    expect(SHELLS.flatMap((path) => placesOf(path, denies, /error_type/))).toEqual([]);
  });

  test('whether a settings file still guards is judged by pure functions, too', () => {
    const judging = filesIn('src/settings', /\.ts$/);
    const all = [...new Set(judging.flatMap((path) => reachedFrom(path).files))];
    expect(judging).toContain('src/settings/judge.ts');
    expect(all.filter((path) => /from 'node:|getBuiltinModule|\bprocess\.\w+\(/.test(textOf(path)))).toEqual(
      [],
    );
  });

  test('a denial is worded where messages.ts says so, and nowhere else', () => {
    const words = (node: ts.Node): boolean =>
      ts.isPropertyAssignment(node) && isNamed(node.name, 'error_type') && isText(node.initializer);
    const [header = ''] = /^\/\*\*[\s\S]*?\*\//m.exec(textOf('src/core/messages.ts')) ?? [];
    const said = [...header.matchAll(/(?:\w+\/)?[\w-]+\.ts/g)].map(([name]) => `src/core/${name}`);
    const found = filesIn('src', /\.ts$/).filter((path) => placesOf(path, words, /error_type/).length > 0);
    expect(found).toEqual([...said, 'src/core/messages.ts'].sort());
  });

  test('no shell compares what a role may do', () => {
    const compares = (node: ts.Node): boolean =>
      ts.isBinaryExpression(node) &&
      ts.isStringLiteral(node.right) &&
      (node.right.text === 'readonly' || node.right.text === 'full');
    expect(SHELLS.flatMap((path) => placesOf(path, compares, /['"](?:readonly|full)['"]/))).toEqual([]);
  });

  test('no shell reads the times of a pause to decide by them', () => {
    const reads = (node: ts.Node): boolean =>
      ts.isBinaryExpression(node) && TIMES.test(node.getText()) && /[<>]/.test(node.operatorToken.getText());
    expect(SHELLS.flatMap((path) => placesOf(path, reads, TIMES))).toEqual([]);
  });

  test('each rule of it stands in a file of its own, beside a test', () => {
    const tests = filesIn('test/core', /\.test\.ts$/)
      .map(textOf)
      .join('\n');
    const untested = POLICY.filter((path) => !tests.includes(path.replace('src/core/', '')));
    expect(POLICY.length).toBeGreaterThan(3);
    expect(untested).toEqual([]);
  });

  test('is described where it is', () => {
    expect(textOf('README.md')).toMatch(
      /^8\. All policy is pure functions.*: `src\/core`, and `src\/settings`/m,
    );
    expect(textOf('docs/architecture.md')).toMatch(/`core\/policy`/);
  });
});
