/** The tests of this directory by name, read from their syntax; a skipped or empty test proves nothing. */
import ts from 'typescript';
import { filesIn, treeOf } from '../architecture/sources.ts';

export const FOLDER = 'test/threat-model';

export interface Named {
  readonly file: string;
  readonly title: string;
  /** Tests below it that always run, including itself. */
  readonly runs: number;
}

/** Every group and test at the top level of a file, except in the test that checks the document itself. */
export const namedTests = (): readonly Named[] =>
  filesIn(FOLDER, /\.test\.ts$/)
    .filter((file) => file !== `${FOLDER}/claims.test.ts`)
    .flatMap((file) => namedIn(file, treeOf(file)));

export function namedIn(file: string, tree: ts.SourceFile): readonly Named[] {
  return tree.statements.flatMap((statement) => {
    if (!ts.isExpressionStatement(statement) || !ts.isCallExpression(statement.expression)) return [];
    const call = statement.expression;
    if (!/^(?:describe|it|test)\b/.test(call.expression.getText(tree))) return [];
    const [title] = call.arguments;
    const text =
      title !== undefined && ts.isStringLiteralLike(title) ? title.text : (title?.getText(tree) ?? '');
    return [{ file, title: text, runs: runsIn(call, tree) }];
  });
}

/** `it` and `test`, also with `.each`, `.concurrent` and the like; tests that may be skipped don't count. */
function runsIn(call: ts.CallExpression, tree: ts.SourceFile): number {
  const name = call.expression.getText(tree);
  if (/^\w+(?:\.\w+)*\.(?:skip|todo|skipIf|runIf|fails)\b/.test(name)) return 0;
  if (/^(?:it|test)\b/.test(name)) return 1;
  let runs = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:describe|it|test)\b/.test(node.expression.getText(tree)))
      runs += runsIn(node, tree);
    else ts.forEachChild(node, visit);
  };
  call.arguments.forEach((argument) => ts.forEachChild(argument, visit));
  return runs;
}
