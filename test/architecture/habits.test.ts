import ts from 'typescript';
import { describe, expect, test } from 'vitest';

import { filesIn, linesOf, placesOf, textOf, treeOf } from './sources.ts';

const SOURCES = filesIn('src', /\.tsx?$/);
const TESTS = filesIn('test', /\.ts$/);
const SCRIPTS = ['scripts', 'bin', 'hooks'].flatMap((dir) => filesIn(dir, /\.[cm]js$/));
const LINES_MAX = 250;

describe('every source file', () => {
  test('has at most 250 lines of code', () => {
    const long = [...SOURCES, ...TESTS, ...SCRIPTS].map((path) => ({ path, lines: linesOf(path) }));
    // The launcher is copied into repositories, so it has to be one file (decision 071).
    const one_file = 'hooks/guard-hook.cjs';
    expect(long.filter(({ path, lines }) => lines > LINES_MAX && path !== one_file)).toEqual([]);
  });

  test('is short as a rule: half of src/ has at most 60 lines', () => {
    const lines = SOURCES.map(linesOf).sort((a, b) => a - b);
    expect(lines[Math.floor(lines.length / 2)]).toBeLessThanOrEqual(60);
  });

  test('has no "any" and no non-null assertion', () => {
    const loose = (node: ts.Node): boolean =>
      node.kind === ts.SyntaxKind.AnyKeyword || ts.isNonNullExpression(node);
    // A non-null assertion follows the end of an expression.
    const spelled = /\bany\b|[\p{L}\w$)\]}'"`!/>]\s*!(?!=)/u;
    expect([...SOURCES, ...TESTS].flatMap((path) => placesOf(path, loose, spelled))).toEqual([]);
  });

  test('keeps no state in its module: no let, no var', () => {
    const loose = SOURCES.flatMap((path) =>
      treeOf(path)
        .statements.filter((statement) => ts.isVariableStatement(statement))
        .filter((statement) => (statement.declarationList.flags & ts.NodeFlags.Const) === 0)
        .map((statement) => `${path}: ${statement.getText().slice(0, 60)}`),
    );
    expect(loose).toEqual([]);
  });

  test('has no TODO', () => {
    const marked = [...SOURCES, ...TESTS, ...SCRIPTS].filter((path) =>
      /\b(?:TODO|FIXME|XXX)\b/.test(textOf(path)),
    );
    expect(marked.filter((path) => path !== 'test/architecture/habits.test.ts')).toEqual([]);
  });
});

describe('the clock', () => {
  /** Files whose clock readings decide nothing: durations shown to people, and names that no other file may have. */
  const MAY_READ = [
    'src/repo/clock.ts',
    'src/repo/boot-clock.ts',
    'src/install/checks/live.ts',
    'src/repo/replace-whole.ts',
    'src/page/browser-clock.ts',
  ];

  test('is read in one file', () => {
    const readers = SOURCES.filter((path) => !MAY_READ.includes(path)).flatMap((path) =>
      placesOf(path, readsClock, SPELLED),
    );
    expect(readers).toEqual([]);
  });

  test('is really read where the list says so', () => {
    expect(MAY_READ.filter((path) => placesOf(path, readsClock).length === 0)).toEqual([]);
  });
});

const CLOCKS = /^(?:Date\.now|performance\.now|process\.hrtime|process\.uptime|os\.uptime)$/;

/** Everything that `readsClock` looks for contains one of these. */
const SPELLED = /\bDate\b|performance|hrtime|uptime|perf_hooks/;

function readsClock(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return CLOCKS.test(node.getText().replace(/^globalThis\./, ''));
  if (ts.isNewExpression(node))
    return node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0;
  if (ts.isCallExpression(node)) return node.expression.getText() === 'Date';
  return ts.isImportDeclaration(node) && /['"]node:perf_hooks['"]/.test(node.moduleSpecifier.getText());
}
