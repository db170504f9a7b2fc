/** Commands that precede another and change how it runs: `sudo`, `env`, `timeout`, `npx`. */
import type { Argument, Call, Reading } from '../call.ts';
import { optionNames, options, type Options } from '../writers/options.ts';
import { file, runs, together, within } from '../writers/reading.ts';
import type { Wrapper } from './wrapper.ts';

interface Prefix {
  /** In the syntax of writers/options.ts. */
  readonly grammar: string;
  /** The number of its own words before the command: `timeout 5`. */
  readonly skip?: number;
  /** It accepts `A=b` before the command. */
  readonly assigns?: true;
  /** The option that names the working directory. */
  readonly dir?: string;
  /** The option whose value is run by a shell. */
  readonly line?: string;
  /** The option that names a file to write. */
  readonly log?: string;
}

const readingOf = (call: Call, row: Prefix, given: Options): Reading =>
  together([command(call, row, given), logged(call, row, given), lineOf(row, given)]);

const dirOf = ({ dir }: Prefix, given: Options): Argument | undefined =>
  dir === undefined ? undefined : given.value(dir);

function command(call: Call, row: Prefix, given: Options): Reading {
  const rest = given.operands.slice(row.skip ?? 0);
  const [env, words] = row.assigns === true ? assignments(rest) : [{}, rest];
  if (words.length === 0) return {};
  const { cwd } = within(call, dirOf(row, given));
  return runs({ kind: 'call', words: words[0]?.text === '--' ? words.slice(1) : words, env, cwd });
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

/** A prefix that runs another command only in some of its forms, or a tool with a version. */
export interface PrefixRow extends Prefix {
  /** `uv run X`: only if one of these words comes first; otherwise it is another command. */
  readonly verbs?: string;
  /** `npx prettier@3`: the tool is run without its version. */
  readonly is_tool?: true;
}

export const prefixOf =
  (row: PrefixRow): Wrapper =>
  (call) => {
    const given = options(call.args, row.grammar, 'first');
    const reading = row.verbs === undefined ? readingOf(call, row, given) : behindVerb(call, row, given);
    return row.is_tool === true && reading !== null ? bare(reading) : reading;
  };

/** @param given the options before the verb, which may set the working directory */
function behindVerb(call: Call, row: PrefixRow, given: Options): Reading | null {
  const [verb, ...args] = given.operands;
  if (!optionNames(row.verbs).includes(verb?.text ?? '')) return null;
  return readingOf(within(call, dirOf(row, given)), row, options(args, row.grammar, 'first'));
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
