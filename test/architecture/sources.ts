/** The repository's files, read as text and as syntax trees. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Directories that are generated, fetched or recorded rather than written here. */
const SKIPPED = /^(?:node_modules|coverage|\.git|dist(?:\.\d+\.(?:tmp|old))?)$/;

/** Every file below `dir`; both are relative to the repository. */
export function filesIn(dir: string, matching = /./): string[] {
  return readdirSync(join(ROOT, dir), { withFileTypes: true })
    .flatMap((entry) => {
      const path = dir === '.' ? entry.name : `${dir}/${entry.name}`;
      if (SKIPPED.test(entry.name)) return [];
      if (entry.isDirectory()) return filesIn(path, matching);
      return entry.isFile() && matching.test(path) ? [path] : [];
    })
    .sort();
}

export const textOf = memo((path) => readFileSync(join(ROOT, path), 'utf8'));

/** Nearly what the linter's max-lines counts: no blank lines and no comment lines. */
export const linesOf = (path: string): number =>
  textOf(path)
    .split('\n')
    .filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)).length;

/** Without JSDoc, which no test here reads. */
const PARSED: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

export const treeOf = memo((path) => ts.createSourceFile(path, textOf(path), PARSED, true));

/** `file:line` of every matching node. @param spelled only files that contain this can match; others are not parsed */
export function placesOf(path: string, matches: (node: ts.Node) => boolean, spelled = /(?:)/): string[] {
  if (!spelled.test(textOf(path))) return [];
  const tree = treeOf(path);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (matches(node)) places.push(`${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return places;
}

export interface Import {
  readonly from: string;
  /** A path relative to the repository, or a package. */
  readonly to: string;
  readonly is_package: boolean;
  /** Erased with the types, so free at run time. */
  readonly is_type: boolean;
}

/** Static and dynamic imports and re-exports of a source file, without built-in modules. */
export const importsOf = memo(readImports);

const DYNAMIC = /\bimport\s*\(/;

function readImports(path: string): Import[] {
  const found: Import[] = [];
  const add = (to: ts.Expression | undefined, is_type: boolean): void => {
    if (to === undefined || !ts.isStringLiteral(to) || to.text.startsWith('node:')) return;
    const is_package = !to.text.startsWith('.');
    const target = is_package ? to.text : relative(ROOT, resolve(ROOT, dirname(path), to.text));
    found.push({ from: path, to: target, is_package, is_type });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  for (const statement of treeOf(path).statements) {
    if (ts.isImportDeclaration(statement)) add(statement.moduleSpecifier, isTypeOnly(statement.importClause));
    else if (ts.isExportDeclaration(statement)) add(statement.moduleSpecifier, statement.isTypeOnly);
    // Of all imports only calls are nested in other statements.
    else if (DYNAMIC.test(textOf(path))) visit(statement);
  }
  return found;
}

/** True for `import type …`, or if all names between the braces are `type` names. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((name) => name.isTypeOnly)
  );
}

/** Everything that a file needs at run time, including itself; packages by name. */
export function reachedFrom(entry: string): {
  readonly files: readonly string[];
  readonly packages: readonly string[];
} {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const { to, is_package, is_type } of importsOf(path)) {
      if (is_type) continue;
      if (is_package) packages.add(to);
      else visit(to);
    }
  };
  visit(entry);
  return { files: [...files], packages: [...packages].sort() };
}

/** Parsing everything once takes a second; parsing it for every question takes twenty. */
function memo<T>(make: (path: string) => T): (path: string) => T {
  const made = new Map<string, T>();
  return (path) => {
    const known = made.get(path);
    if (known !== undefined) return known;
    const fresh = make(path);
    made.set(path, fresh);
    return fresh;
  };
}
