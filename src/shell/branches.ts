/** Where a line may continue in several ways: all of them are walked. */
import type { AndOr, SyntaxNode } from 'unbash';
import { wordList } from '../core/word-list.ts';
import { type Here, print } from './here.ts';
import { distinct, type World } from './world.ts';

type Worlds = readonly World[];

export function alternatives(ways: readonly (() => Worlds)[], here: Here): Worlds {
  const before = here.printed?.text;
  const worlds = ways.flatMap((way) => way());
  if (here.printed !== null && here.printed.text !== before) print(here, null);
  return distinct(worlds);
}

/**
 * `a && b`: the author expects `a` to succeed, so what follows is in the state after `b`; the outcome of a test is unknown.
 * `a || b`: what follows is in the state after `a`.
 */
export function andOr({ commands, operators }: AndOr, worlds: Worlds, here: Here): Worlds {
  const [first, ...more] = commands;
  if (first === undefined) return worlds;
  let now = here.walk.node(first, worlds, here);
  let is_open = isTest(first);
  for (const [nth, command] of more.entries()) {
    const before = now;
    const after = here.walk.node(command, before, here);
    if (is_open) now = distinct([...before, ...after]);
    // `make && exit; rm x`: the rest is written for the other case.
    else if (operators[nth] === '&&' && after.length > 0) now = after;
    is_open ||= operators[nth] === '&&' && isTest(command);
  }
  return now;
}

const TESTS = wordList('[ test false grep egrep rg command which type hash diff cmp pgrep');

function isTest(node: SyntaxNode): boolean {
  if (node.type === 'Pipeline') return node.prefixes.length > 0 || node.commands.some(isTest);
  if (node.type === 'Redirected') return isTest(node.command);
  if (node.type === 'Command') return TESTS.has(node.name?.value ?? '');
  return node.type === 'TestCommand' || node.type === 'ArithmeticCommand';
}
