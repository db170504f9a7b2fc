/** The scripts within a node: their commands run, whatever happens to their output. */
import { forEachChild } from './unbash.ts';
import type { ParsedScript, SyntaxNode } from 'unbash';

export function scriptsIn(node: SyntaxNode): readonly ParsedScript[] {
  if (node.type === 'Script') return [node];
  const found: ParsedScript[] = [];
  forEachChild(node, (child) => {
    found.push(...scriptsIn(child));
  });
  return found;
}
