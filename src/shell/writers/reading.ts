/** Building blocks with which a table describes a call: small readings that are combined. */
import type { Argument, Call, Look, Reading, Run, Writer } from '../call.ts';
import type { FileAct, EffectScope, EffectTarget, Unresolved } from '../effects.ts';
import { LIMITS } from '../limits.ts';
import { absolute, isGlob } from '../path.ts';

export const NOTHING: Reading = {};

export function together(readings: readonly Reading[]): Reading {
  return {
    targets: readings.flatMap((it) => it.targets ?? []),
    scopes: readings.flatMap((it) => it.scopes ?? []),
    git: readings.flatMap((it) => it.git ?? []),
    unresolved: readings.flatMap((it) => it.unresolved ?? []),
    runs: readings.flatMap((it) => it.runs ?? []),
  };
}

/** Several forms of one command, each of which contributes its part. */
export const allForms =
  (writers: readonly Writer[]): Writer =>
  (call) =>
    together(writers.map((it) => it(call)));

export const word = (text: string | null, source = text ?? ''): Argument => ({
  text,
  source,
  is_expanded: false,
});

export const asWords = (texts: readonly string[]): readonly Argument[] => texts.map((text) => word(text));

/** A call that runs in the directory given by an option. */
export const within = (call: Call, dir: Argument | undefined): Call =>
  dir === undefined ? call : { ...call, cwd: pathOf(call, dir) };

/** The same word with another text: a name in a directory, a suffix. */
export function reworded(
  { source, is_expanded, reason, text }: Argument,
  change: (text: string) => string,
): Argument {
  const why = reason === undefined ? {} : { reason };
  return { text: text === null ? null : change(text), source, is_expanded, ...why };
}

/** One file that the call writes, if it names one; an unknown name is reported as unresolved. */
export function file(
  call: Call,
  name: Argument | undefined,
  act: FileAct,
  more: Partial<EffectTarget> = {},
): Reading {
  if (name === undefined) return NOTHING;
  const path = pathOf(call, name);
  if (path === null) return together([unknownTarget(call, name), globbed(call, name, act, more)]);
  if (!isFile(name.text, path)) return NOTHING;
  const found = name.is_expanded ? 'expanded' : 'named';
  return { targets: [{ path, act, by: call.name, source: name.source, found, ...more }] };
}

/** More files than are listed: all that match, as long as no other agent holds one of them. */
function globbed(
  call: Call,
  { glob, source }: Argument,
  act: FileAct,
  { is_tree }: Partial<EffectTarget>,
): Reading {
  if (glob === undefined || act === 'create') return NOTHING;
  const paths = [is_tree === true ? `${glob}/**` : glob];
  return { scopes: [{ kind: 'generator', by: call.name, source, paths, is_glob: true }] };
}

export const files = (call: Call, names: readonly Argument[], act: FileAct): Reading =>
  together(names.map((name) => file(call, name, act)));

export const trees = (call: Call, names: readonly Argument[], act: FileAct): Reading =>
  together(names.map((name) => tree(call, name, act)));

/** A directory with everything in it, or a file, whichever is there. */
export function tree(call: Call, name: Argument, act: FileAct): Reading {
  return file(call, name, act, kindOf(call, name) === 'file' ? {} : { is_tree: true });
}

/** Null if the path is unknown. */
export const pathOf = ({ cwd }: Call, { text }: Pick<Argument, 'text'>): string | null =>
  text === null ? null : absolute(text, cwd);

export function kindOf(call: Call, name: Pick<Argument, 'text'>): ReturnType<Look['kind']> {
  const path = pathOf(call, name);
  return path === null ? null : call.start.look.kind(path);
}

/** Null if the file does not exist, is not text, is too long, or its path is unknown. */
export function textOn(
  call: Call,
  name: Pick<Argument, 'text'>,
  max_bytes: number = LIMITS.file_bytes,
): string | null {
  const path = pathOf(call, name);
  return path === null ? null : call.start.look.text(path, max_bytes);
}

export function unknownTarget(
  call: Call,
  name: Argument,
  reason: Unresolved['reason'] = whyUnknown(name),
): Reading {
  return { unresolved: [{ source: name.source, by: call.name, reason }] };
}

export const unresolved = (call: Call, reason: Unresolved['reason'], source = call.source): Reading => ({
  unresolved: [{ source, by: call.name, reason }],
});

/** Some of these files: a path with glob characters that is not on the disk is a glob. */
export function scope(call: Call, kind: EffectScope['kind'], names: readonly Argument[]): Reading {
  const globs = names.filter(
    (name) => name.text !== null && isGlob(name.text) && kindOf(call, name) === null,
  );
  const plain = names.filter((name) => !globs.includes(name));
  const lost = names.filter((name) => pathOf(call, name) === null);
  const pathsOf = (list: readonly Argument[]) => list.flatMap((name) => pathOf(call, name) ?? []);
  const base = { kind, by: call.name, source: call.source };
  const [literal, patterns] = [pathsOf(plain), pathsOf(globs)];
  return {
    scopes: [
      ...(literal.length > 0 ? [{ ...base, paths: literal }] : []),
      ...(patterns.length > 0 ? [{ ...base, paths: patterns, is_glob: true as const }] : []),
    ],
    unresolved: lost.flatMap((name) => unknownTarget(call, name).unresolved ?? []),
  };
}

export const runs = (...list: readonly Run[]): Reading => ({ runs: list });

/** Runs each text in a shell. */
export const runsLines = (texts: readonly string[], more: Pick<LineRun, 'cwd'> = {}): Reading =>
  runs(...texts.map((text): Run => ({ kind: 'line', text, ...more })));

type LineRun = Extract<Run, { kind: 'line' }>;

/** One run per item, up to the limit on written files. */
export function runsForEach<It>(call: Call, items: readonly It[], runFor: (item: It) => Run): Reading {
  const list = runs(...items.slice(0, LIMITS.targets).map(runFor));
  return items.length > LIMITS.targets ? together([list, unresolved(call, 'limit')]) : list;
}

/** Whether a name means a file, not a standard stream or a device. */
function isFile(text: string | null, path: string): boolean {
  if (text === '' || text === '-') return false;
  return !/^\/dev\/(?!shm\/)|^\/proc\/(?:self|\d+)\/fd\//.test(path);
}

const whyUnknown = ({ text, reason, source }: Argument): Unresolved['reason'] =>
  text !== null ? 'directory' : (reason ?? (/\$\(|`|<\(/.test(source) ? 'substitution' : 'variable'));
