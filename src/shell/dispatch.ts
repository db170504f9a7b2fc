/** What a command does, by its name: a function of the line, a builtin, a wrapper, git, or a row in the tables of writers. */
import type { Argument, Call, Reading, Run, Writer } from './call.ts';
import { builtinFor } from './builtins/index.ts';
import { readCode } from './code/read-code.ts';
import { type Here, type Input, NO_INPUT, print, type Words } from './here.ts';
import { isUnknown, type Known, unknown } from './known.ts';
import { LIMITS } from './limits.ts';
import { readNestedText } from './nested-line.ts';
import { printCall } from './outputs/print-call.ts';
import { baseName } from './path.ts';
import { wrapperFor } from './wrappers/index.ts';
import { type Defined, scalarOf, withVariables, type World } from './world.ts';
import { readScript } from './writers/script.ts';
import { writerFor } from './writers/index.ts';

export function dispatch({ words, source }: Words, world: World, here: Here): readonly World[] {
  const [name, ...args] = words;
  if (name === undefined) return [world];
  if (name.text === null) {
    here.found.miss({ source, by: name.source, reason: name.reason ?? 'variable' });
    print(here, null);
    return [world];
  }
  const call = callOf({ name: name.text, args, source }, world, here);
  const defined = world.functions.get(name.text);
  if (defined !== undefined) return callFunction(defined, call, world, here);
  const builtin = builtinFor(name.text);
  if (builtin !== undefined) return builtin({ call, world, here });
  printCall(here, call);
  if (call.name === 'git') here.found.add(gitReading(call, world));
  follow(readingOf(name, call), call, world, here);
  return [world];
}

interface Plain {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly source: string;
}

function callOf({ name, args, source }: Plain, world: World, { start, stdin }: Here): Call {
  let variables: ReadonlyMap<string, string | null> | undefined;
  return {
    name: baseName(name),
    args,
    source,
    start,
    cwd: world.cwd,
    ...{ is_piped: stdin.is_piped, globs: stdin.globs },
    get stdin() {
      return stdin.text();
    },
    get variables() {
      return (variables ??= plainVariables(world));
    },
  };
}

function plainVariables({ variables }: World): ReadonlyMap<string, string | null> {
  const entries = [...variables].map(([name, value]) => [name, scalarOf(value)] as const);
  return new Map(entries.map(([name, text]) => [name, isUnknown(text) ? null : text]));
}

function readingOf(name: Argument, call: Call): Reading {
  if (name.text !== null && isScriptPath(name.text)) return asFile(readScript(call, name, call.args), name);
  const own = wrapperFor(call.name)?.(call) ?? null;
  if (own !== null) return own;
  const writer: Writer | null = writerFor(call.name);
  return writer === null ? {} : writer(call);
}

/** A script of the project, whatever its name; not `/usr/bin/rm` or `node_modules/.bin/prettier`. */
const isScriptPath = (text: string): boolean => text.includes('/') && !/(?:^|\/)\.?s?bin\/[^/]*$/.test(text);

/** A file that is not text is a program, which is not assumed to write. */
const asFile = (reading: Reading, name: Argument): Reading => ({
  ...reading,
  unresolved: [],
  ...(reading.runs && { runs: reading.runs.map((run) => withFile(run, name)) }),
});

const withFile = (run: Run, name: Argument): Run =>
  run.kind === 'line' ? { ...run, file: name.text ?? '', zero: name } : run;

function gitReading({ args, cwd, stdin, source }: Call, { variables }: World): Reading {
  const said = [...variables].filter(([name]) => name.startsWith('GIT_'));
  const known = said.flatMap(([name, value]) => {
    const text = scalarOf(value);
    return isUnknown(text) ? [] : [[name, text] as const];
  });
  if (known.length < said.length) return { unresolved: [{ source, by: 'git', reason: 'variable' }] };
  const words = args.map(({ text }) => text);
  return { git: [{ args: words, cwd, env: Object.fromEntries(known), stdin, source }] };
}

function follow(reading: Reading, call: Call, world: World, here: Here): void {
  here.found.add(reading);
  for (const run of reading.runs ?? []) {
    if (here.budget.commands < 0) return;
    followOne(run, call, world, here);
  }
}

function followOne(run: Run, call: Call, world: World, here: Here): void {
  if (run.kind === 'code') {
    const code = readCode(run, call);
    // Code may run a line or a call in turn, but never code again without limit.
    if (deeper(here, call.source)) follow(code, call, world, { ...here, depth: here.depth + 1 });
    return;
  }
  const cwd = run.cwd === undefined ? world.cwd : run.cwd;
  const inner = withVariables({ ...world, cwd }, run.kind === 'call' ? Object.entries(run.env ?? {}) : []);
  const quiet = { ...here, printed: null, returned: null };
  if (run.kind === 'line') {
    const { text, args = [], file, zero } = run;
    if (file !== undefined && here.in_file) {
      here.found.miss({ source: call.source, by: call.name, reason: 'script' });
      return;
    }
    const in_file = here.in_file || file !== undefined;
    const within = { ...inner, args, zero: zeroOf(zero, file) };
    readNestedText({ text, source: call.source }, within, { ...quiet, in_file });
    return;
  }
  if (!deeper(here, call.source) || here.budget.commands-- <= 0) return;
  const stdin = run.stdin === undefined ? here.stdin : inputOf(run.stdin);
  dispatch({ words: run.words, source: call.source }, inner, { ...quiet, depth: here.depth + 1, stdin });
}

const zeroOf = (word: Argument | undefined, file: string | undefined): Known =>
  word === undefined ? (file ?? 'bash') : (word.text ?? unknown(word.reason ?? 'variable'));

const inputOf = (text: string | null): Input =>
  text === null ? NO_INPUT : { text: () => text, is_piped: false };

function deeper({ depth, found }: Here, source: string): boolean {
  if (depth < LIMITS.depth) return true;
  found.miss({ source, by: 'sh', reason: 'limit' });
  return false;
}

function callFunction({ body, text }: Defined, call: Call, world: World, here: Here): readonly World[] {
  if (!deeper(here, call.source)) return [world];
  const returned: World[] = [];
  const inner = { ...here, text, depth: here.depth + 1, returned };
  const after = here.walk.node(body, [{ ...world, args: call.args }], inner);
  return [...after, ...returned].map((it) => ({ ...it, args: world.args }));
}
