/** A simple command: its words, assignments and redirections, in the order in which the shell processes them. */
import type { Assignment, Command } from 'unbash';
import type { Argument } from './call.ts';
import { dispatch } from './dispatch.ts';
import { type Here, print } from './here.ts';
import { spend } from './limits.ts';
import { isUnknown, joinedTexts, unknown } from './known.ts';
import { DECLARING } from './builtins/declare.ts';
import { redirected } from './redirections.ts';
import { argumentsOf, scalar } from './word.ts';
import { isArray, scalarOf, type VariableValue, withVariable, type World } from './world.ts';

export function runSimple(command: Command, world: World, here: Here): readonly World[] {
  if (!mayRun(here)) return [];
  const name = command.name === undefined ? [] : argumentsOf(command.name, world, here);
  const declares = DECLARING.has(name[0]?.text ?? '');
  const args = command.args.flatMap((arg) =>
    arg.type === 'Word' ? argumentsOf(arg, world, here) : declares ? [] : assignmentWord(arg, world, here),
  );
  const redirection = redirected(command.redirects, world, here);
  const inner = assigned(command.prefix, world, here);
  const words = [...name, ...args];
  const within = declares ? assigned(command.suffix, inner, here) : inner;
  const source = here.text.slice(command.pos, command.end);
  const is_bare = words.length === 0;
  const after = is_bare
    ? nothing(within, redirection.here)
    : dispatch({ words, source }, within, redirection.here);
  redirection.close();
  const is_prefixed = command.prefix.some(({ type }) => type === 'Assignment');
  return is_bare || !is_prefixed ? after : after.map((it) => unprefixed(it, command, world));
}

/** Commands are counted, because nested loops run more of them than the text contains. */
function mayRun({ budget, found, text }: Here): boolean {
  if (budget.commands-- > 0) return true;
  found.miss({ source: text, by: 'sh', reason: 'limit' });
  return false;
}

/** `$(< file)`. */
function nothing(world: World, here: Here): readonly World[] {
  if (here.printed !== null) print(here, here.stdin.text() ?? '');
  return [world];
}

/** `of=x` after a command is an ordinary word. */
function assignmentWord(
  { text, name, value, append }: Assignment,
  world: World,
  here: Here,
): readonly Argument[] {
  const content = value.type === 'Word' ? scalar(value, world, here) : unknown('variable');
  const sign = append === true ? '+=' : '=';
  if (isUnknown(content)) return [{ text: null, source: text, is_expanded: false, reason: content.reason }];
  return [{ text: `${name}${sign}${content}`, source: text, is_expanded: false }];
}

function assigned(list: Command['prefix'] | Command['suffix'], world: World, here: Here): World {
  let now = world;
  for (const one of list)
    if (one.type === 'Assignment') now = withVariable(now, one.name, valueFor(one, now, here));
  return now;
}

function valueFor({ name, value, append, index }: Assignment, world: World, here: Here): VariableValue {
  if (value.type === 'ArrayValue') {
    const items = value.elements.flatMap((word) => argumentsOf(word, world, here));
    const known = items.map(({ text, reason }) => text ?? unknown(reason ?? 'variable'));
    const before = append === true ? (world.variables.get(name) ?? []) : [];
    const kept = isArray(before) ? before : [before];
    if (!spend(here.budget, 64 * (known.length + kept.length))) return unknown('limit');
    return [...kept, ...known];
  }
  const text = scalar(value, world, here);
  if (index !== undefined) return unknown('variable');
  const whole = append === true ? joinedTexts([scalarOf(world.variables.get(name) ?? ''), text]) : text;
  return isUnknown(whole) || spend(here.budget, whole.length) ? whole : unknown('limit');
}

/** `A=b command`: the variable is set only for that command. */
function unprefixed(after: World, { prefix }: Command, before: World): World {
  const variables = new Map(after.variables);
  for (const one of prefix) {
    if (one.type !== 'Assignment') continue;
    const value = before.variables.get(one.name);
    if (value === undefined) variables.delete(one.name);
    else variables.set(one.name, value);
  }
  return { ...after, variables };
}
