/**
 * The lines that a task runs, taken from its file by its literal text. Null: no such task, or a form that is not read.
 * What is computed while it runs stays a variable that nobody knows.
 */

const UNKNOWN = '"$__unknown"';
const MOST_TASKS = 50;

interface Rule {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

/** make: the recipe of the target and of what it needs; patterns and included files are not read. */
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

/** `$(NAME)`, `${NAME}`, `$@`; a function of make is what the shell cannot know. `$$` stays for the recipe. */
function expanded(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  return text.replace(
    /\$(\$|\(([^()]*(?:\([^()]*\)[^()]*)*)\)|\{([^{}]*)\}|[@<^?*%+|])/g,
    (all, sign: string, round?: string, curly?: string) => {
      if (sign === '$') return all;
      const name = round ?? curly ?? sign;
      const [, command] = /^shell\s+([\s\S]*)$/.exec(name) ?? [];
      if (command !== undefined) return `$(${command})`;
      const value = variables.get(name);
      if (value === undefined) return /^[\w.-]+$/.test(name) ? `\${${name.replace(/\W/g, '_')}}` : UNKNOWN;
      return depth > 8 ? UNKNOWN : expanded(value, variables, depth + 1);
    },
  );
}

/** Depth first, each once, as make and just do it. */
function needed(
  wanted: string,
  rules: ReadonlyMap<string, Rule>,
  linesOf: (name: string, rule: Rule) => readonly string[],
): string[] {
  const [seen, lines] = [new Set<string>(), [] as string[]];
  const visit = (name: string): void => {
    const rule = rules.get(name);
    if (rule === undefined || seen.has(name) || seen.size >= MOST_TASKS) return;
    seen.add(name);
    rule.needs.forEach(visit);
    lines.push(...linesOf(name, rule));
  };
  visit(wanted);
  return lines;
}

/** just: recipes with their parameters; other expressions in `{{ }}` are what nobody knows. */
export function justLines(
  text: string,
  task: string | null,
  args: readonly string[],
): readonly string[] | null {
  const [rules, variables, parameters] = [
    new Map<string, Rule>(),
    new Map<string, string>(),
    new Map<string, readonly string[]>(),
  ];
  let [current, first]: [string | null, string | undefined] = [null, undefined];
  for (const line of text.split(/\r?\n/)) {
    const rule = current === null ? undefined : rules.get(current);
    if (/^\s/.test(line) && current !== null && rule !== undefined) {
      if (line.trim() !== '') rules.set(current, { ...rule, lines: [...rule.lines, line.trim()] });
      continue;
    }
    const [, variable, , value] = /^(?:export\s+)?([\w-]+)\s*:=\s*(["'])(.*)\2\s*$/.exec(line) ?? [];
    if (variable !== undefined) variables.set(variable, value ?? '');
    const [, alias, meant] = /^alias\s+([\w-]+)\s*:=\s*([\w-]+)/.exec(line) ?? [];
    if (alias !== undefined) rules.set(alias, { needs: [meant ?? ''], lines: [] });
    const [, name, given = '', needs = ''] =
      /^@?([A-Za-z_][\w-]*)((?:\s+[^:]+)?)\s*:(?!=)([^#]*)/.exec(line) ?? [];
    if (name === undefined || variable !== undefined || alias !== undefined) continue;
    [current, first] = [name, first ?? name];
    parameters.set(
      name,
      given
        .trim()
        .split(/\s+/)
        .filter((it) => it !== ''),
    );
    rules.set(name, {
      needs: needs
        .replace(/[()]/g, ' ')
        .trim()
        .split(/\s+/)
        .filter((it) => it !== '' && it !== '&&'),
      lines: [],
    });
  }
  const wanted = task ?? first;
  if (wanted === undefined || !rules.has(wanted)) return null;
  return needed(wanted, rules, (name, { lines }) => {
    const values = new Map([...variables, ...bound(parameters.get(name) ?? [], name === wanted ? args : [])]);
    const filled = lines.map((it) =>
      it
        .replace(/^[@-]+/, '')
        .replace(/\{\{\s*([^}]*?)\s*\}\}/g, (_, key: string) => values.get(key) ?? UNKNOWN),
    );
    return filled[0]?.startsWith('#!') === true ? shebang(filled) : filled;
  });
}

function shebang(lines: readonly string[]): readonly string[] {
  return /\b(?:ba|z|da)?sh\b/.test(lines[0] ?? '') ? [lines.slice(1).join('\n')] : [];
}

function bound(parameters: readonly string[], args: readonly string[]): [string, string][] {
  return parameters.flatMap((parameter, nth): [string, string][] => {
    const [, sign = '', name = '', usual] =
      /^([*+$]?)\$?([\w-]+)(?:=["']?(.*?)["']?)?$/.exec(parameter) ?? [];
    const value = sign === '*' || sign === '+' ? args.slice(nth).join(' ') : args[nth];
    return value !== undefined && value !== ''
      ? [[name, value]]
      : usual === undefined
        ? sign === '*'
          ? [[name, '']]
          : []
        : [[name, usual]];
  });
}

/** mise: `[tasks.fmt]` with `run`, or `fmt = "…"` below `[tasks]`. */
export function miseLines(text: string, task: string | null): readonly string[] | null {
  const rules = new Map<string, Rule>();
  for (const [header, body] of tomlSections(text)) {
    const [, name] =
      /^tasks\.(?:"([^"]+)"|'([^']+)'|([\w:-]+))$/.exec(header)?.filter((it) => it !== undefined) ?? [];
    if (name !== undefined)
      rules.set(name, { lines: tomlStrings(body, 'run') ?? [], needs: tomlStrings(body, 'depends') ?? [] });
    if (header !== 'tasks') continue;
    for (const [, quoted_name, plain, value = ''] of body.matchAll(
      /^(?:"([^"]+)"|([\w:-]+))\s*=\s*(.+)$/gm,
    )) {
      const is_table = value.startsWith('{');
      const inner = is_table
        ? value.replace(/^\{\s*|\s*\}$/g, '').replace(/,\s*(?=\w+\s*=)/g, '\n')
        : `run = ${value}`;
      rules.set(quoted_name ?? plain ?? '', {
        lines: tomlStrings(inner, 'run') ?? [],
        needs: tomlStrings(inner, 'depends') ?? [],
      });
    }
  }
  if (task === null || !rules.has(task)) return null;
  return needed(task, rules, (_, { lines }) => lines.map((it) => it.replace(/\{\{.*?\}\}/g, UNKNOWN)));
}

function tomlSections(text: string): [string, string][] {
  const parts = text.split(/^\[([^[\]\n]+)\][ \t]*(?:#.*)?$/m);
  return parts
    .slice(1)
    .flatMap((_, nth): [string, string][] =>
      nth % 2 === 0 ? [[(parts[nth + 1] ?? '').trim(), parts[nth + 2] ?? '']] : [],
    );
}

/** A string, a string of several lines, or a list of strings. */
function tomlStrings(body: string, key: string): string[] | null {
  const at = new RegExp(`^${key}\\s*=\\s*`, 'm').exec(body);
  if (at === null) return null;
  const rest = body.slice(at.index + at[0].length);
  const STRING = /^("""|''')(?:\r?\n)?([\s\S]*?)\1|^"((?:[^"\\\n]|\\.)*)"|^'([^'\n]*)'/;
  const read = (from: string): [string, number] | null => {
    const match = STRING.exec(from);
    if (match === null) return null;
    const [all, , long, double, single] = match;
    return [long ?? double?.replace(/\\(["\\])/g, '$1') ?? single ?? '', all.length];
  };
  if (!rest.startsWith('[')) {
    const one = read(rest);
    return one === null ? null : [one[0]];
  }
  const [found, list] = [[] as string[], rest.slice(1, 20_000)];
  for (
    let from = list.trimStart();
    from !== '' && !from.startsWith(']');
    from = from.replace(/^[\s,]+/, '')
  ) {
    const one = read(from);
    if (one === null) return found.length > 0 ? found : null;
    found.push(one[0]);
    from = from.slice(one[1]);
  }
  return found;
}

/** Taskfile.yml: `cmds` and `deps` in block form; templates are what nobody knows. */
export function taskfileLines(text: string, task: string | null): readonly string[] | null {
  const rules = new Map<string, Rule>();
  const body = /^tasks:[ \t]*\r?\n((?:[ \t]+.*(?:\r?\n|$)|[ \t]*(?:\r?\n|$))*)/m.exec(text)?.[1] ?? '';
  const indent = /^([ \t]+)\S/m.exec(body)?.[1]?.length ?? 2;
  const heads = new RegExp(
    `^[ \\t]{${String(indent)}}(?:"([^"]+)"|'([^']+)'|([\\w:.-]+)):[ \\t]*(.*)$`,
    'gm',
  );
  const found = [...body.matchAll(heads)];
  for (const [nth, head] of found.entries()) {
    const name = head[1] ?? head[2] ?? head[3] ?? '';
    const inside = body.slice(head.index + head[0].length, found[nth + 1]?.index);
    const inline = head[4] ?? '';
    const commands =
      inline === '' ? [...yamlList(inside, 'cmds'), ...yamlList(inside, 'cmd')] : [plainYaml(inline)];
    const calls = commands.flatMap((it) => /^task:\s*([\w:.-]+)/.exec(it)?.[1] ?? []);
    rules.set(name, {
      needs: [...yamlList(inside, 'deps'), ...calls],
      lines: commands.filter((it) => !/^(?:task|defer|for):/.test(it)),
    });
  }
  const wanted = task ?? 'default';
  if (!rules.has(wanted)) return null;
  return needed(wanted, rules, (_, { lines }) => lines.map((it) => it.replace(/\{\{.*?\}\}/g, UNKNOWN)));
}

function yamlList(body: string, key: string): string[] {
  const match = new RegExp(
    `^([ \\t]+)${key}:[ \\t]*(.*)\\r?\\n?((?:\\1[ \\t]*(?:-|[ \\t]).*(?:\\r?\\n|$)|[ \\t]*\\r?\\n)*)`,
    'm',
  ).exec(body);
  if (match === null) return [];
  const [, , inline = '', block = ''] = match;
  if (inline.startsWith('['))
    return inline
      .replace(/^\[|\]\s*$/g, '')
      .split(',')
      .map((it) => plainYaml(it.trim()))
      .filter((it) => it !== '');
  if (inline !== '' && !/^[|>]/.test(inline)) return [plainYaml(inline)];
  if (inline !== '') return [block.replace(/^[ \t]+/gm, '').trim()];
  return block
    .split(/^[ \t]*-[ \t]+/m)
    .slice(1)
    .map((it) =>
      plainYaml(
        it
          .replace(/^[|>][+-]?[ \t]*\r?\n/, '')
          .replace(/^cmd:\s*/, '')
          .replace(/\r?\n[ \t]+/g, '\n')
          .trim(),
      ),
    );
}

const plainYaml = (text: string): string => {
  const bare = text.trim();
  if (/^'.*'$/s.test(bare)) return bare.slice(1, -1).replaceAll("''", "'");
  return /^".*"$/s.test(bare) ? bare.slice(1, -1).replace(/\\(["\\])/g, '$1') : bare;
};
