/**
 * The lines that a task runs, taken literally from its file. Null: no such task, or an unsupported form. Values
 * computed at run time remain an unknown variable.
 */
import { needed, type Rule, UNKNOWN_WORD } from './task-rules.ts';

/** just: recipes with their parameters; other expressions in `{{ }}` are unknown. */
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
        .replace(/\{\{\s*([^}]*?)\s*\}\}/g, (_, key: string) => values.get(key) ?? UNKNOWN_WORD),
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
      /^tasks\.(?:"([^"]+)"|'([^']+)'|([\w:-]+))$/
        .exec(header)
        ?.filter((it: string | undefined) => it !== undefined) ?? [];
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
  return needed(task, rules, (_, { lines }) => lines.map((it) => it.replace(/\{\{.*?\}\}/g, UNKNOWN_WORD)));
}

function tomlSections(text: string): [string, string][] {
  const parts = text.split(/^\[([^[\]\n]+)\][ \t]*(?:#.*)?$/m);
  return parts
    .slice(1)
    .flatMap((_, nth): [string, string][] =>
      nth % 2 === 0 ? [[(parts[nth + 1] ?? '').trim(), parts[nth + 2] ?? '']] : [],
    );
}

/** A string, a multi-line string, or a list of strings. */
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

/** Taskfile.yml: `cmds` and `deps` in block form; templates are unknown. */
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
  return needed(wanted, rules, (_, { lines }) => lines.map((it) => it.replace(/\{\{.*?\}\}/g, UNKNOWN_WORD)));
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
