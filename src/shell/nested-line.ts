/** Text that a shell reads: parsed and walked like the line that it stands in. */
import { parse } from './unbash.ts';
import type { ParsedScript } from 'unbash';
import type { Here } from './here.ts';
import { LIMITS, mayParse } from './limits.ts';
import type { World } from './world.ts';

interface Text {
  readonly text: string;
  /** What is said to be unresolved where it cannot be read. */
  readonly source: string;
}

export function readText({ text, source }: Text, world: World, here: Here): readonly World[] {
  if (here.depth >= LIMITS.depth || !mayParse(text, here.budget)) {
    here.found.miss({ source, by: 'sh', reason: 'limit' });
    return [world];
  }
  const script = parsed(text);
  if (script === null) {
    here.found.miss({ source, by: 'sh', reason: 'syntax' });
    return [world];
  }
  return here.walk.node(script, [world], { ...here, text, depth: here.depth + 1 });
}

/** The parser says what it did not understand; it throws where a line is nested too deeply. */
function parsed(text: string): ParsedScript | null {
  try {
    return parse(text);
  } catch {
    return null;
  }
}
