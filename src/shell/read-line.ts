// lazy: loaded at the first call of one of its functions, and exports nothing else.
/**
 * Reads a command line: parses it once, and walks it in the order in which the shell runs it. If it cannot be read to its end,
 * what was understood is kept.
 */
import type { ParsedScript } from 'unbash';
import type { LineStart } from './call.ts';
import type { Effects } from './effects.ts';
import { dispatch } from './dispatch.ts';
import { LineEffects } from './found.ts';
import { type Here, NO_INPUT } from './here.ts';
import { LIMITS, newBudget } from './limits.ts';
import { readNestedText } from './nested-line.ts';
import { certainVariables } from './variables.ts';
import { walk } from './walk.ts';
import { TYPICAL_LINES } from './warm.ts';
import type { World } from './world.ts';

/** One copy of the parser for all code that reads command lines. */
export { forEachChild, parse } from './unbash.ts';

/** Never throws. */
export function readLine(line: string, start: LineStart): Effects {
  const found = new LineEffects();
  const budget = newBudget();
  const here: Here = {
    start: { ...start, look: found.over(start.look, budget) },
    found,
    budget,
    text: line,
    depth: -1,
    nesting: 0,
    in_file: false,
    stdin: NO_INPUT,
    printed: null,
    returned: null,
    walk: { node: walk, script: substituted, dispatch },
  };
  try {
    readNestedText({ text: line, source: line }, firstWorld(here.start), here);
  } catch {
    // Nested more deeply than the stack allows.
    found.miss({ source: line, by: 'sh', reason: 'limit' });
  }
  return found.effects();
}

/** Runs the code that most lines use, over an empty disk. The hook's entry calls it before it stores the compiled form. */
export function warm(): void {
  const look = { kind: () => null, list: () => [], text: () => null };
  for (const line of TYPICAL_LINES) readLine(line, { cwd: '/', home: '/', env: {}, look });
}

function substituted(script: ParsedScript, world: World, at: Here): readonly World[] {
  if (at.nesting < LIMITS.nesting) return walk(script, [world], { ...at, nesting: at.nesting + 1 });
  at.found.miss({ source: at.text, by: 'sh', reason: 'limit' });
  return [world];
}

function firstWorld(start: LineStart): World {
  return {
    cwd: start.cwd,
    old_cwd: null,
    pushed: [],
    variables: certainVariables(start),
    looped: new Set(),
    functions: new Map(),
    zero: 'bash',
    args: [],
    options: new Set(start.env['SHELL']?.endsWith('/zsh') === true ? ['globstar'] : []),
  };
}
