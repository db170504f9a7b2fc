/** README, "how it works", point 8: what is denied is decided in src/core, by pure functions; shells find the facts. */
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { filesIn, placesOf, textOf } from './sources.ts';

const SHELLS = filesIn('src', /\.ts$/).filter((path) => !path.startsWith('src/core/'));
/** values.ts is a table of words. */
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
    expect(textOf('README.md')).toMatch(/pure functions in `src\/core`/);
    expect(textOf('docs/architecture.md')).toMatch(/`core\/policy`/);
  });
});
