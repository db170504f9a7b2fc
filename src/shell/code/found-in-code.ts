/** Collects what the calls of a program write. */
import type { Call, Reading } from '../call.ts';
import type { FileAct } from '../effects.ts';
import { baseName, joined } from '../path.ts';
import { file, kindOf, pathOf, runs, together, unresolved, word } from '../writers/reading.ts';
import { CALLS, type Written } from './calls.ts';
import { nameOf } from './modules.ts';
import { unlisted } from './listed-files.ts';
import type { Token } from './token.ts';
import { NOBODY_KNOWS, type Value } from './value.ts';
import { valueOf } from './values.ts';
import type { CallVisit } from './walk.ts';
import type { CallExpression, Passings, Walk } from './walk-state.ts';

/** Names that can only be a function of node's fs, whatever object they are called on. */
const SURELY_FS =
  /(?:^|\.)((?:writeFile|appendFile|copyFile|rm|unlink|rename|mkdir|cp|truncate|rmdir|symlink)Sync|writeFile|appendFile|copyFile|createWriteStream)$/;

const MOST_READINGS = 500;

export class CodeEffects {
  readonly #readings: Reading[] = [];
  readonly #passings: Passings;
  readonly #collects: boolean;
  readonly #text: string;
  #call: Call;

  constructor(call: Call, text: string, passings: Passings, collects: boolean) {
    this.#call = call;
    this.#text = text;
    this.#passings = passings;
    this.#collects = collects;
  }

  visit: CallVisit = (called, token, walk) => {
    if (this.#collects) this.#collect(called, walk);
    else if (this.#readings.length < MOST_READINGS) this.#readings.push(...this.#ofCall(called, token, walk));
  };

  /** Perl's `$^I` with `@ARGV`: the program edits the files it was given. */
  end({ language, names }: Walk): void {
    if (this.#collects || language !== 'perl' || !names.names.has('$^I')) return;
    const edited = valueOf({ is: 'name', name: '@ARGV' }, names);
    this.#readings.push(...this.#paths(edited, 'edit', undefined));
  }

  reading(): Reading {
    const all = together(this.#readings);
    const once = <T>(list: readonly T[] = [], key: (it: T) => string): T[] => [
      ...new Map(list.map((it) => [key(it), it])).values(),
    ];
    return {
      ...all,
      targets: once(all.targets, ({ path, act, is_tree }) => `${path}\n${act}\n${String(is_tree)}`),
      unresolved: once(all.unresolved, ({ source, reason }) => `${source}\n${reason}`),
    };
  }

  #collect({ of, args }: CallExpression, { names }: Walk): void {
    const name = of.is === 'name' ? of.name : null;
    if (name === null) return;
    const values = args.filter((it) => it.key === undefined).map((it) => valueOf(it.value, names));
    const known = this.#passings.get(name) ?? [];
    if (known.length < 50) this.#passings.set(name, [...known, values]);
  }

  #ofCall(called: CallExpression, token: Token, walk: Walk): readonly Reading[] {
    const { names, language } = walk;
    const calls = CALLS[language];
    const name = nameOf(called.of, names.full);
    const plain = called.args.filter((it) => it.key === undefined);
    const value = (nth: number): Value | undefined =>
      plain[nth] === undefined ? undefined : valueOf(plain[nth].value, names);
    const keyed = (key: string): Value | undefined => {
      const one = called.args.find((it) => it.key === key);
      return one === undefined ? undefined : valueOf(one.value, names);
    };
    if (calls.chdir.test(name)) return this.#changeDirectory(value(0));
    if (calls.evals.test(name)) return [unresolved(this.#call, 'code', this.#line(token))];
    if (calls.shells.test(name))
      return this.#shell(value(0) ?? keyed('args'), value(1), keyed('cwd'), {
        token,
        language,
        all: plain.map((_, nth) => value(nth) ?? NOBODY_KNOWS),
      });
    if (language === 'perl' && name === 'open') return this.#perlOpen(value(1), value(2), token);
    if (calls.opens.test(name))
      return this.#opened(value(0) ?? keyed('file'), value(1) ?? keyed('mode'), token);
    if (
      /^fileinput\.(?:input|FileInput)$/.test(name) &&
      called.args.some(
        ({ key, value: it }) => key === 'inplace' && !(it.is === 'name' && it.name === 'False'),
      )
    )
      return this.#paths(value(0) ?? keyed('files') ?? NOBODY_KNOWS, 'edit', token);
    const fs_name =
      language === 'node'
        ? SURELY_FS.exec(name === '' && called.of.is === 'member' ? called.of.name : name)?.[1]
        : undefined;
    const known =
      own(calls.functions, name) ??
      (fs_name === undefined ? undefined : own(calls.functions, `fs.${fs_name}`));
    if (known !== undefined && !name.startsWith('module ')) {
      if (language === 'perl' && /^(?:copy|move|cp|mv)$/.test(name) && !this.#text.includes('File::Copy'))
        return [];
      return known.flatMap((it) => this.#written(it, value, plain.length, token));
    }
    return this.#ofMethod(called, token, walk, value(0));
  }

  #written(
    it: Written,
    value: (nth: number) => Value | undefined,
    count: number,
    token: Token,
  ): readonly Reading[] {
    const places =
      it.all === true ? Array.from({ length: Math.max(0, count - it.at) }, (_, nth) => it.at + nth) : [it.at];
    const from = it.from === undefined ? undefined : value(it.from);
    return places.flatMap((at) => {
      const paths = value(at);
      if (paths === undefined)
        return it.all === true || count === 0 ? [] : this.#paths(NOBODY_KNOWS, it.act, token);
      return this.#paths(from === undefined ? paths : this.#inside(paths, from), it.act, token, it.is_tree);
    });
  }

  #ofMethod(
    { of, args }: CallExpression,
    token: Token,
    { names, language }: Walk,
    first: Value | undefined,
  ): readonly Reading[] {
    if (of.is !== 'member') return [];
    const receiver = valueOf(of.of, names);
    const is_known = receiver.texts.some((it) => it !== null) && receiver.texts.length > 0;
    if (of.name === 'open' && (language === 'python' || language === 'ruby')) {
      const mode = first?.texts[0];
      const writes = typeof mode === 'string' && /^[rwaxbt+]+$/.test(mode) && /[wax+]/.test(mode);
      return writes ? this.#opened(receiver, first, token) : [];
    }
    const method = own(CALLS[language].methods, of.name);
    if (
      method === undefined ||
      (!is_known && method.is_sure !== true && !(method.self === undefined && first !== undefined))
    )
      return [];
    if (of.name === 'replace' && args.length !== 1) return [];
    const is_literal = first?.texts.every((it) => it !== null) === true;
    return [
      ...(method.self === undefined ? [] : this.#paths(receiver, method.self, token, method.is_tree)),
      ...(method.to !== undefined && first !== undefined && is_literal
        ? this.#paths(first, method.to, token)
        : []),
    ];
  }

  #opened(path: Value | undefined, mode: Value | undefined, token: Token): readonly Reading[] {
    if (mode === undefined || path === undefined) return [];
    return mode.texts.flatMap((it) => {
      const act = it === null ? null : actOf(it);
      if (act === 'read') return [];
      return act === null
        ? [unresolved(this.#call, 'code', this.#line(token))]
        : this.#paths(path, act, token);
    });
  }

  #perlOpen(mode: Value | undefined, path: Value | undefined, token: Token): readonly Reading[] {
    const text = mode?.texts[0];
    if (text == null) return mode === undefined ? [] : [unresolved(this.#call, 'code', this.#line(token))];
    const [, sign = '', rest = ''] = /^\s*(\+?[<>]{1,2}|\|)?(?::\S+)?\s*(.*)$/s.exec(text) ?? [];
    const act: FileAct | null =
      sign === '>' || sign === '+>'
        ? 'write'
        : sign.includes('>>')
          ? 'append'
          : sign === '+<'
            ? 'edit'
            : null;
    if (act === null) return [];
    return this.#paths(path ?? { texts: [rest] }, act, token);
  }

  #shell(
    command: Value | undefined,
    more: Value | undefined,
    cwd: Value | undefined,
    at: { token: Token; language: string; all: readonly Value[] },
  ): readonly Reading[] {
    if (command === undefined) return [];
    const words =
      at.language === 'node'
        ? more?.items === undefined
          ? undefined
          : [command, ...more.items]
        : command.items;
    const listed =
      words ??
      (at.language !== 'python' && at.language !== 'node' && at.all.length > 1
        ? at.all.filter((it) => it.texts.length === 1)
        : undefined);
    const source = this.#line(at.token);
    const dir = cwd === undefined ? {} : { cwd: this.#directory(cwd) };
    if (listed !== undefined)
      return [
        runs({
          kind: 'call',
          words: listed.map((it) => word(it.texts.length === 1 ? (it.texts[0] ?? null) : null, source)),
          ...dir,
        }),
      ];
    return command.texts.map((text) =>
      text === null ? unresolved(this.#call, 'code', source) : runs({ kind: 'line', text, ...dir }),
    );
  }

  #directory({ texts }: Value): string | null {
    return texts.length === 1 ? pathOf(this.#call, { text: texts[0] ?? null }) : null;
  }

  #changeDirectory(to: Value | undefined): readonly Reading[] {
    this.#call = { ...this.#call, cwd: to === undefined ? null : this.#directory(to) };
    return [];
  }

  #paths({ texts, glob }: Value, act: FileAct, token: Token | undefined, is_tree?: true): readonly Reading[] {
    const source = token === undefined ? this.#call.source : this.#line(token);
    return texts.flatMap((text) => {
      if (text === null) return [unlisted(this.#call, source, glob, act)];
      const [name, kind] = [word(text, source), kindOf(this.#call, { text })];
      if (act === 'create' && kind === 'directory') return [];
      const made = act === 'attributes' && kind === null ? 'create' : act;
      const whole = is_tree === true && kind !== 'file' ? { is_tree } : {};
      return [file(this.#call, name, made, { found: 'scanned', ...whole })];
    });
  }

  #inside(dirs: Value, from: Value): Value {
    return {
      texts: dirs.texts.flatMap((dir) => {
        if (dir === null || (kindOf(this.#call, word(dir)) !== 'directory' && !dir.endsWith('/')))
          return [dir];
        return from.texts.map((it) => (it === null ? null : joined(dir, baseName(it))));
      }),
    };
  }

  #line({ at }: Token): string {
    const begin = this.#text.lastIndexOf('\n', at) + 1;
    const end = this.#text.indexOf('\n', at);
    return this.#text
      .slice(begin, end < 0 ? undefined : end)
      .trim()
      .slice(0, 160);
  }
}

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function actOf(mode: string): FileAct | 'read' {
  if (mode.includes('x')) return 'create';
  if (/^w|:w|\|w/.test(mode) || mode.startsWith('bw') || mode.startsWith('tw')) return 'write';
  if (mode.includes('a') && !/r\|?/.test(mode)) return 'append';
  return mode.includes('+') ? 'edit' : mode.includes('w') ? 'write' : 'read';
}
