/** The records that the sources write: their types, and the facts that each may carry. */
import ts from 'typescript';

import { filesIn, textOf, treeOf } from './sources.ts';

/** Fields that every record has or that become part of the frame. */
const FRAME = new Set(['type', 'agent', 'ts_ms', 's', 'id']);

/** Only these files are parsed, which takes most of the time. */
const MAY_WRITE = /\bts_ms\b|\brecord\(/;

/**
 * Facts by type of record, from every object literal with a type and a time (`ts_ms`), as record bodies have, and from
 * every call of `record` (src/core/rules/transaction.ts), which takes the two separately.
 */
export function recordsWritten(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of filesIn('src', /\.ts$/).filter((one) => MAY_WRITE.test(textOf(one)))) {
    const visit = (node: ts.Node): void => {
      if (ts.isObjectLiteralExpression(node)) note(node);
      if (ts.isCallExpression(node) && node.expression.getText() === 'record') noteCall(node);
      ts.forEachChild(node, visit);
    };
    const note = (literal: ts.ObjectLiteralExpression): void => {
      const names = namesIn(literal);
      if (names.includes('ts_ms') && names.includes('type')) add(typesOf(literal), names);
    };
    const noteCall = ({ arguments: [, type, told] }: ts.CallExpression): void =>
      add(
        type === undefined ? [] : stringsIn(type),
        told === undefined ? [] : literalsIn(told).flatMap(namesIn),
      );
    const add = (types: readonly string[], names: readonly string[]): void => {
      for (const type of types) {
        const facts = found.get(type) ?? new Set();
        for (const name of names) if (!FRAME.has(name)) facts.add(name);
        found.set(type, facts);
      }
    };
    visit(treeOf(path));
  }
  return found;
}

/** Includes the names of objects spread into it. */
function namesIn(literal: ts.ObjectLiteralExpression): string[] {
  return literal.properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property)) return literalsIn(property.expression).flatMap(namesIn);
    return [property.name.getText()];
  });
}

function typesOf(literal: ts.ObjectLiteralExpression): string[] {
  return literal.properties.flatMap((property) => {
    if (ts.isSpreadAssignment(property)) return literalsIn(property.expression).flatMap(typesOf);
    if (property.name.getText() !== 'type') return [];
    return ts.isPropertyAssignment(property) ? stringsIn(property.initializer) : [];
  });
}

/** The values of a string literal, of a choice between them, of a constant, or returned by a function of this file. */
function stringsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...stringsIn(node.whenTrue), ...stringsIn(node.whenFalse)];
  if (ts.isIdentifier(node)) return valuesOf(node).flatMap(stringsIn);
  if (ts.isCallExpression(node)) return returnsOf(node.expression.getText(), node.getSourceFile());
  return [];
}

/** The object literals that an expression may evaluate to, including those of local constants. */
function literalsIn(node: ts.Node): ts.ObjectLiteralExpression[] {
  if (ts.isObjectLiteralExpression(node)) return [node];
  if (ts.isIdentifier(node)) return valuesOf(node).flatMap(literalsIn);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(literalsIn);
  if (ts.isBinaryExpression(node)) return [node.left, node.right].flatMap(literalsIn);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return literalsIn(node.expression);
  return [];
}

/** The values of a constant of the enclosing function, of the file, or (in capitals) of any file. */
function valuesOf(name: ts.Identifier): readonly ts.Node[] {
  for (let scope: ts.Node = name.parent; ; scope = scope.parent) {
    if (!ts.isFunctionLike(scope) && !ts.isSourceFile(scope)) continue;
    const found = constantsIn(scope, name.text);
    if (found.length > 0) return found;
    if (ts.isSourceFile(scope)) break;
  }
  if (!/^[A-Z_]+$/.test(name.text)) return [];
  return filesIn('src', /\.ts$/)
    .filter((path) => textOf(path).includes(name.text))
    .flatMap((path) => constantsIn(treeOf(path), name.text));
}

/** The constants of a scope, by name. Searching every file again for each name took 10 s. */
const constantsOf = new WeakMap<ts.Node, ReadonlyMap<string, readonly ts.Node[]>>();

function constantsIn(scope: ts.Node, name: string): readonly ts.Node[] {
  const known = constantsOf.get(scope) ?? readConstants(scope);
  constantsOf.set(scope, known);
  return known.get(name) ?? [];
}

function readConstants(scope: ts.Node): ReadonlyMap<string, readonly ts.Node[]> {
  const found = new Map<string, ts.Node[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const name = node.name.getText();
      found.set(name, [...(found.get(name) ?? []), node.initializer]);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(scope, visit);
  return found;
}

function returnsOf(name: string, file: ts.SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined)
      found.push(...stringsIn(node.expression));
    ts.forEachChild(node, visit);
  };
  for (const statement of file.statements)
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) visit(statement);
  return found;
}

/** The fields of an interface, without inherited ones. */
export function fieldsOf(path: string, name: string): string[] {
  const declared = treeOf(path).statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (declared === undefined || !ts.isInterfaceDeclaration(declared))
    throw new Error(`${path} has no interface ${name}`);
  return declared.members.flatMap((member) => (member.name === undefined ? [] : [member.name.getText()]));
}
