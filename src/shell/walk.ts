/**
 * Walks the tree of a line in the order in which the shell runs it. A walk takes the possible states of the shell and
 * returns those that follow; there are none if the shell has ended.
 */
import type { Case, CompoundList, For, If, Pipeline, SyntaxNode, While } from 'unbash';
import type { Argument } from './call.ts';
import { type Here, NO_INPUT, pipedFrom, print, type Printed } from './here.ts';
import { unknown } from './known.ts';
import { scriptsIn } from './nested.ts';
import { redirected } from './redirections.ts';
import { runSimple } from './simple.ts';
import { alternatives, andOr } from './branches.ts';
import { argumentsOf } from './word.ts';
import { blurred, distinct, withAll, withVariable, type World } from './world.ts';

type Worlds = readonly World[];
type Node<Type extends SyntaxNode['type']> = Extract<SyntaxNode, { type: Type }>;

export function walk(node: SyntaxNode, worlds: Worlds, here: Here): Worlds {
  switch (node.type) {
    case 'Script':
      return script(node, worlds, here);
    case 'CompoundList':
      return list(node.commands, worlds, here);
    case 'Statement':
      return node.background === true ? apart(node.command, worlds, here) : walk(node.command, worlds, here);
    case 'AndOr':
      return andOr(node, worlds, here);
    case 'Pipeline':
      return pipeline(node, worlds, here);
    case 'Redirected':
      return withRedirections(node, worlds, here);
    case 'Command':
      return each(worlds, here, (world) => runSimple(node, world, here));
    case 'BraceGroup':
      return walk(node.body, worlds, here);
    case 'Subshell':
    case 'Coproc':
      return apart(node.body, worlds, here);
    case 'If':
      return branch(node, worlds, here);
    case 'Case':
      return choice(node, worlds, here);
    case 'For':
    case 'Select':
      return each(worlds, here, (world) => loop(node, world, here));
    case 'ArithmeticFor':
      return repeated([node], node.body, worlds, here);
    case 'While':
      return each(worlds, here, (world) => whileLoop(node, world, here));
    case 'Function':
      return worlds.map((world) => ({
        ...world,
        functions: new Map(world.functions).set(node.name.value, { body: node.body, text: here.text }),
      }));
    default:
      return tested(node, worlds, here);
  }
}

function script(node: Node<'Script'>, worlds: Worlds, here: Here): Worlds {
  const text = node.source ?? here.text;
  const [error] = node.errors ?? [];
  if (error !== undefined) here.found.miss({ source: text.slice(error.pos), by: 'sh', reason: 'syntax' });
  return list(node.commands, worlds, { ...here, text });
}

function list(nodes: readonly SyntaxNode[], worlds: Worlds, here: Here): Worlds {
  let now = worlds;
  for (const node of nodes) {
    if (now.length === 0) return now;
    now = walk(node, now, here);
  }
  return now;
}

/** The output is unknown if there are several possible states. */
function each(worlds: Worlds, here: Here, step: (world: World) => Worlds): Worlds {
  if (worlds.length > 1) print(here, null);
  return distinct(worlds.flatMap(step));
}

/** Runs in a subshell, whose changes end with it. */
function apart(node: SyntaxNode, worlds: Worlds, here: Here): Worlds {
  walk(node, worlds, { ...here, returned: null });
  return worlds;
}

function pipeline({ commands }: Pipeline, worlds: Worlds, here: Here): Worlds {
  const [first, ...more] = commands;
  if (first === undefined) return worlds;
  if (more.length === 0) return walk(first, worlds, here);
  return each(worlds, here, (world) => {
    let { stdin } = here;
    for (const [nth, command] of commands.entries()) {
      const printed: Printed | null = nth < commands.length - 1 ? { text: '' } : here.printed;
      apart(command, [world], { ...here, stdin, printed });
      stdin = pipedFrom(printed);
    }
    return [world];
  });
}

function withRedirections(node: Node<'Redirected'>, worlds: Worlds, here: Here): Worlds {
  return each(worlds, here, (world) => {
    const redirection = redirected(node.redirects, world, here);
    const after = walk(node.command, [world], redirection.here);
    redirection.close();
    return after;
  });
}

function branch(node: If, worlds: Worlds, here: Here): Worlds {
  let tested = walk(node.clause, worlds, here);
  const ways: (() => Worlds)[] = [];
  const way = (body: CompoundList, from: Worlds): number => ways.push(() => walk(body, from, here));
  way(node.then, tested);
  for (const { clause, then } of node.elif) {
    tested = walk(clause, tested, here);
    way(then, tested);
  }
  if (node.else === undefined) ways.push(() => tested);
  else way(node.else, tested);
  return alternatives(ways, here);
}

function choice({ word, items }: Case, worlds: Worlds, here: Here): Worlds {
  const [world] = worlds;
  if (world !== undefined) argumentsOf(word, world, here);
  const ways = items.map((item) => () => walk(item.body, worlds, here));
  return alternatives([...ways, () => worlds], here);
}

/** Walks the body for every value in turn. */
function loop(node: For | Node<'Select'>, world: World, here: Here): Worlds {
  const name = node.name.value;
  const values: readonly Argument[] =
    node.wordlist?.flatMap((word) => argumentsOf(word, world, here)) ?? world.args;
  const looped = new Set(world.looped).add(name);
  let now: Worlds = [world];
  for (const { text, reason, glob } of values) {
    if (--here.budget.commands < 0) return cutShort(now, here);
    const value = text ?? { ...unknown(reason ?? 'variable'), ...(glob !== undefined && { globs: [glob] }) };
    const from = now.map((it) => withVariable({ ...it, looped }, name, value));
    now = distinct(walk(node.body, from, here));
    // If the shell may have ended in this iteration, the next one may run as well.
    if (now.length === 0) now = [world];
  }
  return now;
}

function whileLoop(node: While, world: World, here: Here): Worlds {
  const lines = readsLines(node) ? here.stdin.text() : null;
  if (lines === null) return repeated([node.clause], node.body, [world], here);
  let now: Worlds = [world];
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    if (--here.budget.commands < 0) return cutShort(now, here);
    const stdin = { text: () => `${line}\n`, is_piped: true };
    const read = walk(node.clause, now, { ...here, stdin });
    now = distinct(walk(node.body, read, { ...here, stdin: NO_INPUT }));
    if (now.length === 0) now = [world];
  }
  return now;
}

/** Iterations count, too, because a loop may contain no command. */
function cutShort(worlds: Worlds, { found, text }: Here): Worlds {
  found.miss({ source: text, by: 'sh', reason: 'limit' });
  return worlds;
}

/** `while read f; do`. */
function readsLines({ clause }: While): boolean {
  const [statement, more] = clause.commands;
  const command = statement?.command;
  return more === undefined && command?.type === 'Command' && command.name?.value === 'read';
}

/** Any number of iterations: one from the initial state, and one more without the values that the first one changed. */
function repeated(before: readonly SyntaxNode[], body: CompoundList, worlds: Worlds, here: Here): Worlds {
  const begun = (now: Worlds, node: SyntaxNode): Worlds =>
    node.type === 'ArithmeticFor' ? counting(node, now, here) : walk(node, now, here);
  const turn = (from: Worlds): Worlds => walk(body, before.reduce(begun, from), here);
  return each(worlds, here, (world) => {
    const first = turn([world]);
    const changed = first.filter((after) => after.variables !== world.variables || after.cwd !== world.cwd);
    const again = changed.length === 0 ? [] : turn(distinct(changed.map((after) => blurred(world, after))));
    print(here, null);
    return [...(first.length === 0 ? [world] : first), ...again];
  });
}

/** The names that `for ((i = 0; …))` counts with. */
function counting(node: Node<'ArithmeticFor'>, worlds: Worlds, here: Here): Worlds {
  const head = here.text.slice(node.pos, node.body.pos);
  const names = [...head.matchAll(/\b[A-Za-z_]\w*\b(?=\s*(?:[-+*/]?=(?!=)|\+\+|--))/g)].map(([name]) => name);
  return worlds.map((world) => withAll(world, names, unknown('variable')));
}

/** `[[ ]]`, `(( ))`: only the commands in substitutions run. */
function tested(node: SyntaxNode, worlds: Worlds, here: Here): Worlds {
  const inner = { ...here, printed: null, stdin: NO_INPUT, returned: null };
  for (const script of scriptsIn(node)) for (const world of worlds) here.walk.script(script, world, inner);
  return worlds;
}
