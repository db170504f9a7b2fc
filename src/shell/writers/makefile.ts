/** A makefile, by its literal text: values computed at run time remain an unknown word. Null: no such target. */
import { needed, type Rule, UNKNOWN_WORD } from './task-rules.ts';

/** make: the recipes of the target and of its prerequisites; patterns and included files are not read. */
export function makeLines(
  text: string,
  target: string | null,
  settings: readonly string[],
): readonly string[] | null {
  const { rules, variables, first } = makeRules(text);
  for (const setting of settings) {
    const [, name, value] = /^(\w+)\s*[:+?]?=(.*)$/s.exec(setting) ?? [];
    if (name !== undefined) variables.set(name, value ?? '');
  }
  const wanted = target ?? variables.get('.DEFAULT_GOAL')?.trim() ?? first;
  if (wanted === undefined || !rules.has(wanted)) return null;
  return needed(wanted, rules, (name, rule) =>
    rule.lines.map((it) => recipeLine(it, name, rule.needs, variables)),
  );
}

function makeRules(text: string) {
  const rules = new Map<string, Rule>();
  const variables = new Map<string, string>();
  let [current, first]: [string[], string | undefined] = [[], undefined];
  for (const line of text.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/)) {
    if (line.startsWith('\t')) {
      for (const name of current) {
        const rule = rules.get(name);
        if (rule !== undefined) rules.set(name, { ...rule, lines: [...rule.lines, line.slice(1)] });
      }
      continue;
    }
    const bare = line.replace(/(?:^|\s)#.*$/, '');
    const [, name, sign, value = ''] =
      /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(::?:?=|\?=|\+=|=)\s*(.*)$/.exec(bare) ?? [];
    if (name !== undefined) {
      const before = variables.get(name);
      if (sign === '+=') variables.set(name, `${before ?? ''} ${value}`);
      else if (sign !== '?=' || before === undefined) variables.set(name, value);
      continue;
    }
    const [, names, needs] = /^([^\s:#=][^:#=]*?)\s*::?(?!=)\s*([^=]*)$/.exec(bare) ?? [];
    if (names === undefined) continue;
    const [needs_text = '', inline] = (needs ?? '').split(/;(.*)/s);
    current = names.split(/\s+/).map((it) => expanded(it, variables));
    for (const one of current) {
      const known = rules.get(one);
      const more = expanded(needs_text, variables)
        .split(/\s+/)
        .filter((it) => it !== '' && it !== '|');
      rules.set(one, {
        needs: [...(known?.needs ?? []), ...more],
        lines: [...(known?.lines ?? []), ...(inline === undefined ? [] : [inline])],
      });
      if (!/^\.|%/.test(one)) first ??= one;
    }
  }
  return { rules, variables, first };
}

function recipeLine(
  line: string,
  target: string,
  needs: readonly string[],
  variables: ReadonlyMap<string, string>,
): string {
  const own = new Map([
    ...variables,
    ['@', target],
    ['<', needs[0] ?? ''],
    ['^', needs.join(' ')],
    ['MAKE', 'make'],
    ['CURDIR', '$PWD'],
  ]);
  return expanded(line.replace(/^[@+\s-]+/, ''), own).replaceAll('$$', '$');
}

/** `$(NAME)`, `${NAME}`, `$@`; a function of make becomes an unknown word. `$$` is left for the recipe. */
function expanded(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  return text.replace(
    /\$(\$|\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\{([^{}]*)\}|[@<^?*%+|])/g,
    (all, sign: string, round?: string, curly?: string) => {
      if (sign === '$') return all;
      const name = round ?? curly ?? sign;
      const [, command] = /^shell\s+([\s\S]*)$/.exec(name) ?? [];
      if (command !== undefined) return `$(${command})`;
      const value = variables.get(name);
      if (value === undefined)
        return /^[\w.-]+$/.test(name) ? `\${${name.replace(/\W/g, '_')}}` : UNKNOWN_WORD;
      return depth > 8 ? UNKNOWN_WORD : expanded(value, variables, depth + 1);
    },
  );
}
