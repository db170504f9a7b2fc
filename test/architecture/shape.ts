/** Measures of the sources that must not grow: each returns its violations by name. */
import ts from 'typescript';

import { importsOf, treeOf } from './sources.ts';

export const PARAMETERS_MAX = 4;

/** `file#function` with more than four parameters, and their number; the larger if a file has the name twice. */
export function manyParameters(paths: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const path of paths) {
    const visit = (node: ts.Node): void => {
      if (isFunction(node) && node.parameters.length > PARAMETERS_MAX) {
        const name = `${path}#${nameOf(node)}`;
        found.set(name, Math.max(node.parameters.length, found.get(name) ?? 0));
      }
      ts.forEachChild(node, visit);
    };
    visit(treeOf(path));
  }
  return found;
}

type WithBody =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.ConstructorDeclaration;

const isFunction = (node: ts.Node): node is WithBody =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isConstructorDeclaration(node);

function nameOf(node: WithBody): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { name } = node;
  if (name !== undefined) return name.getText();
  const { parent } = node;
  const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
  return isNamed ? parent.name.getText() : '(anonymous)';
}

/** The files that declare and export each name; re-exports don't count. */
export function homesOf(paths: readonly string[]): Map<string, ReadonlySet<string>> {
  const homes = new Map<string, Set<string>>();
  for (const path of paths)
    for (const statement of treeOf(path).statements.filter(isExported))
      for (const name of declaredBy(statement)) homes.set(name, (homes.get(name) ?? new Set()).add(path));
  return homes;
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

function declaredBy(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Files that reach each other by imports, including type imports, and the size of the cycle. */
export function circlesOf(paths: readonly string[]): Map<string, number> {
  const index = new Map<string, number>();
  const open: string[] = [];
  const circles = new Map<string, number>();
  const visit = (path: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(path, own);
    open.push(path);
    for (const { to, is_package } of importsOf(path)) {
      if (is_package || !paths.includes(to)) continue;
      if (!index.has(to)) lowest = Math.min(lowest, visit(to));
      else if (open.includes(to)) lowest = Math.min(lowest, index.get(to) ?? own);
    }
    if (lowest === own) {
      const group = open.splice(open.indexOf(path));
      if (group.length > 1) for (const member of group) circles.set(member, group.length);
    }
    return lowest;
  };
  for (const path of paths) if (!index.has(path)) visit(path);
  return circles;
}
