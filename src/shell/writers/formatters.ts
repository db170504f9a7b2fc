/** Formatters edit the files that are named, and some files of a directory or a pattern. */
import type { Argument, Call, Reading, Writer } from '../call.ts';
import { FORMATTER_FORMS, type FormatterForm } from './formatter-forms.ts';
import { optionNames, options } from './options.ts';
import { extensionOf, isGlob, joined } from '../path.ts';
import { NOTHING, file, kindOf, reworded, allForms, scope, together, word } from './reading.ts';

/** Options with a value that many of them share. */
const COMMON =
  'config: config-path: ignore-path: ignore-pattern: ext: parser: plugin: rulesdir: log-level: stdin-filepath: exclude: ' +
  'extend-exclude: line-length: target-version: cache-location: resolve-plugins-relative-to: rule: max-warnings: ' +
  'output-file: format: files: edition: config-file: settings-path: profile: select: ignore: extend-select: fixable: ' +
  'line-ranges: unsafe-fixes? style: only: tab-width: print-width: end-of-line: trailing-comma: quote-props:';

/** With one of these, no formatter writes anything. */
const DRY = optionNames('check list-different dry-run dryrun diff fix-dry-run stdin-filepath verify lint');

const formatter =
  (form: FormatterForm): Writer =>
  (call) => {
    const args = form.verb === undefined ? call.args : behindVerb(call.args, form.verb);
    if (args === null) return NOTHING;
    if (form.list !== undefined)
      return together(listed(args, form.list).map((it) => formatted(call, it, form)));
    const given = options(args, `${form.grammar ?? ''} ${COMMON}`, form.style);
    const when = optionNames(form.when);
    if (form.when !== undefined && !given.has(...when)) return NOTHING;
    if (given.has(...optionNames(form.dry), ...DRY.filter((it) => !when.includes(it)))) return NOTHING;
    // `cargo fmt -- --check`: options of the command that it runs in turn.
    const handed_on = given.operands.filter(({ text }) => text?.startsWith('--') === true);
    if (handed_on.some(({ text }) => DRY.includes(text?.slice(2) ?? ''))) return NOTHING;
    const names = given.operands.filter((it) => !handed_on.includes(it)).slice(form.skip ?? 0);
    if (names.length > 0) return together(names.map((it) => formatted(call, it, form)));
    return form.usual === undefined ? NOTHING : formatted(call, word(form.usual), form);
  };

function listed(args: readonly Argument[], option: string): readonly Argument[] {
  const at = args.findIndex(({ text }) => text === `--${option}`);
  const rest = at < 0 ? [] : args.slice(at + 1);
  const end = rest.findIndex(({ text }) => text?.startsWith('-') === true);
  return end < 0 ? rest : rest.slice(0, end);
}

/** For a tool with verbs, the words after this one. */
function behindVerb(args: readonly Argument[], verb: string): readonly Argument[] | null {
  const words = verb.split(' ');
  const at = args.findIndex((_, nth) => words.every((it, more) => args[nth + more]?.text === it));
  const before = args.slice(0, Math.max(at, 0));
  if (at < 0 || before.some(({ text }) => text?.startsWith('-') !== true)) return null;
  return args.slice(at + words.length);
}

export function formatted(call: Call, name: Argument, form: Pick<FormatterForm, 'extensions'>): Reading {
  if (name.text === null || name.text === '-') return name.text === null ? file(call, name, 'edit') : NOTHING;
  const kind = kindOf(call, name);
  if (kind === 'file') return file(call, name, 'edit');
  if (kind === null && isGlob(name.text))
    return name.text.startsWith('!') ? NOTHING : scope(call, 'formatter', [name]);
  if (kind === null && extensionOf(name.text) !== '') return file(call, name, 'edit');
  const globs = optionNames(form.extensions);
  if (globs.length === 0) return scope(call, 'formatter', [name]);
  const below = globs.map((it) => reworded(name, (text) => joined(text, `**/*.${it}`)));
  return scope(call, 'formatter', below);
}

/** One writer per name, which asks each form of it in turn. */
export const FORMATTERS: Readonly<Record<string, Writer>> = Object.fromEntries(
  Object.entries(FORMATTER_FORMS).map(([name, forms]) => {
    return [name, allForms(forms.map(formatter))];
  }),
);
