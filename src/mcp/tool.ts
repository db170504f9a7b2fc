/** A tool of guard's servers: an operation, its description for the client's model, and the form of its answer. */
import type { SayRelease } from '../locks/rows.ts';
import { schemaOf } from '../operations/schema.ts';
import type { InputFields, InputOf } from '../operations/field.ts';
import { type Operation, readFor, type RunContext } from '../operations/operation.ts';
import type { CallerWorkspace } from '../workspace/workspace.ts';

/** The notification for watching clients about a call that did something. */
export interface Signal {
  readonly event: 'reserve' | 'release' | 'message' | 'negotiate';
  readonly text: string;
}

/** The types of the fields that every answer has. */
type Kinds = Readonly<Record<string, 'string' | 'number' | 'boolean' | 'array' | 'object'>>;

interface About<F extends InputFields, R> {
  readonly description: string;
  readonly answers: Kinds;
  readonly is_read_only?: true;
  readonly is_destructive?: true;
  /** The name in `structuredContent` of an answer that is a list. */
  readonly list?: string;
  readonly show?: (answer: R, input: InputOf<F>) => object;
  /** What the caller did, as a text to follow its name; null if it is not worth reporting. */
  readonly signal?: (answer: R, input: InputOf<F>) => readonly [Signal['event'], did: string] | null;
}

export interface ToolAnswer {
  readonly answer: object;
  readonly notes: readonly string[];
  readonly signal: Signal | null;
}

export interface Tool<At> {
  readonly name: string;
  readonly description: string;
  /** The tool as it appears in tools/list. */
  readonly listed: object;
  readonly list: string | null;
  /** Parses the arguments first, so that wrong ones are reported before any other failure. @throws GuardError, Refused */
  readonly prepare: (
    given: Readonly<Record<string, unknown>>,
  ) => (workspace: At, around: RunContext) => Promise<ToolAnswer>;
}

/** What one call works on. */
export interface Opened<At extends CallerWorkspace> {
  readonly workspace: At;
  /** True if the caller was not named, and had to be taken from the environment. */
  readonly is_guess: boolean;
  readonly release: SayRelease;
}

export function asTool<F extends InputFields, R extends object, At>(
  operation: Operation<F, R, At>,
  { description, answers, is_read_only, is_destructive, list, show, signal }: About<F, R>,
): Tool<At & CallerWorkspace> {
  const properties = Object.fromEntries(Object.entries(answers).map(([name, type]) => [name, { type }]));
  return {
    name: operation.name,
    description,
    list: list ?? null,
    listed: {
      name: operation.name,
      description,
      inputSchema: schemaOf(operation.fields),
      outputSchema: { type: 'object', properties, required: Object.keys(answers) },
      annotations: is_read_only ? { readOnlyHint: true } : { destructiveHint: is_destructive ?? false },
    },
    prepare(given) {
      const { input, notes } = readFor(operation, given);
      return async (workspace, around) => {
        const answer = await operation.run(input, workspace, around);
        const [event, did] = signal?.(answer, input) ?? [];
        return {
          answer: show?.(answer, input) ?? answer,
          notes,
          signal: event === undefined ? null : { event, text: `${workspace.who.id} ${did ?? ''}` },
        };
      };
    },
  };
}
