/** Commands that stand before another and change how it runs: `sudo`, `env`, `timeout`, `npx`. */
import type { Argument, Call, Reading, Run } from '../call.ts';
import { options, type Options } from '../writers/options.ts';
import { file, pathOf, runs, together } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

export interface Prefix {
  /** In the form of writers/options.ts. */
  readonly grammar: string;
  /** Words of its own before the command: `timeout 5`. */
  readonly skip?: number;
  /** `A=b` before the command. */
  readonly assigns?: true;
  /** The option that names the directory to run in. */
  readonly dir?: string;
  /** The option whose text a shell runs. */
  readonly line?: string;
  /** The option that names a file to write. */
  readonly log?: string;
}

export const prefix =
  (row: Prefix): Wrapper =>
  (call) => {
    const given = options(call.args, row.grammar, 'first');
    return together([command(call, row, given), logged(call, row, given), lineOf(row, given)]);
  };

function command(call: Call, row: Prefix, given: Options): Reading {
  const rest = given.operands.slice(row.skip ?? 0);
  const [env, words] = row.assigns === true ? assignments(rest) : [{}, rest];
  const dir = row.dir === undefined ? undefined : given.value(row.dir);
  if (words.length === 0) return {};
  const cwd = dir === undefined ? {} : { cwd: pathOf(call, dir) };
  const run: Run = { kind: 'call', words: words[0]?.text === '--' ? words.slice(1) : words, env, ...cwd };
  return runs(run);
}

function assignments(words: readonly Argument[]): [Readonly<Record<string, string>>, readonly Argument[]] {
  const count = words.findIndex(({ text }) => text === null || !/^[A-Za-z_]\w*=/.test(text));
  const said = (count < 0 ? words : words.slice(0, count)).map(({ text }) => (text ?? '').split(/=(.*)/s));
  const env = Object.fromEntries(said.map(([name = '', value = '']) => [name, value]));
  return [env, count < 0 ? [] : words.slice(count)];
}

function logged(call: Call, { log }: Prefix, given: Options): Reading {
  const name = log === undefined ? undefined : given.value(log);
  return name === undefined ? {} : file(call, name, 'write');
}

function lineOf({ line }: Prefix, given: Options): Reading {
  const text = line === undefined ? null : (given.value(line)?.text ?? null);
  return text === null ? {} : runs({ kind: 'line', text });
}

/** One that stands before others only in some of its forms, or before a tool with its version. */
export interface PrefixRow extends Prefix {
  /** `uv run X`: only with one of these words first; else the command is something else. */
  readonly verbs?: string;
  /** `npx prettier@3`: the tool without its version. */
  readonly is_tool?: true;
}

export const prefixOf =
  (row: PrefixRow): Wrapper =>
  (call) => {
    const reading = row.verbs === undefined ? prefix(row)(call) : after(row.verbs, row, call);
    return row.is_tool === true && reading !== null ? bare(reading) : reading;
  };

function after(verbs: string, row: Prefix, call: Call): Reading | null {
  const [first, ...args] = options(call.args, row.grammar, 'first').operands;
  return verbs.split(' ').includes(first?.text ?? '') ? prefix(row)({ ...call, args }) : null;
}

const bare = (reading: Reading): Reading =>
  reading.runs === undefined
    ? reading
    : {
        ...reading,
        runs: reading.runs.map((run) =>
          run.kind === 'call' ? { ...run, words: run.words.map(unversioned) } : run,
        ),
      };

const unversioned = (word: Argument, nth: number): Argument =>
  nth > 0 || word.text === null ? word : { ...word, text: word.text.replace(/(?<=.)@[^/@]*$/, '') };
