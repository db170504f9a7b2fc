/** Text that a shell reads: parsed and walked like the line that contains it. */
import { attempt } from '../core/attempt.ts';
import { parse } from './unbash.ts';
import type { ParsedScript } from 'unbash';
import type { Here } from './here.ts';
import { type Budget, isTooMuch, LIMITS, mayParse } from './limits.ts';
import { takenOutOf, withoutBodies } from './long-documents.ts';
import type { World } from './world.ts';

interface Text {
  readonly text: string;
  /** The part of the line reported as unresolved if the text cannot be read. */
  readonly source: string;
}

export function readNestedText({ text, source }: Text, world: World, here: Here): readonly World[] {
  const short = here.depth < LIMITS.depth ? shortOf(text, here.budget) : null;
  if (short === null) {
    here.found.miss({ source, by: 'sh', reason: 'limit' });
    return [world];
  }
  const script = parsed(short.text);
  if (script === null || (short.taken > 0 && takenOutOf(script) !== short.taken)) {
    here.found.miss({ source, by: 'sh', reason: script === null ? 'syntax' : 'limit' });
    return [world];
  }
  return here.walk.node(script, [world], { ...here, text: short.text, depth: here.depth + 1 });
}

/** The text to parse: one that is too long loses its long here-documents. Null if it is still too long. */
function shortOf(text: string, budget: Budget): { readonly text: string; readonly taken: number } | null {
  const short = isTooMuch(text) ? withoutBodies(text) : { text, taken: 0 };
  return short !== null && mayParse(short.text, budget) ? short : null;
}

/** The parser reports what it did not understand; it throws if a line is nested too deeply. */
const parsed = (text: string): ParsedScript | null => attempt(() => parse(text), null);
