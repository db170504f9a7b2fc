/** A coordination tool, and the two ways in which one fails. */
import * as z from 'zod';
import type { Desk } from '../../coordination/desk.ts';
import { signature } from './shapes.ts';
import type { Shape } from './shapes.ts';

/** What clients that watch are told of an operation. */
export interface Signal {
  readonly event: 'reserve' | 'release' | 'message' | 'negotiate';
  readonly text: string;
}

export interface Answered {
  readonly answer: unknown;
  readonly signal: Signal | null;
}

export interface CoordinationTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly is_read_only: boolean;
  /** @throws Refused for what the call lacks */
  run(input: unknown, desk: Desk, signal: AbortSignal): Promise<Answered>;
}

/** A call that lacks something: its text is the whole answer, as an error of the tool. */
export class Refused extends Error {}

export function required<T extends string | readonly string[]>(name: string, value: T): T {
  if (value.length === 0) throw new Refused(`${name} is required`);
  return value;
}

interface About {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly is_read_only?: boolean;
}

/** Ties a tool's input to its shape. */
export function coordinationTool<S extends Shape>(
  about: About,
  shape: S,
  run: (input: z.output<z.ZodObject<S>>, desk: Desk, signal: AbortSignal) => unknown,
  say: (answer: never, desk: Desk) => Signal | null = () => null,
): CoordinationTool {
  const checked = z.object(shape);
  return {
    is_read_only: false,
    ...about,
    input: z.object({ ...shape, ...signature }),
    async run(given, desk, signal) {
      const answer = await run(checked.parse(given), desk, signal);
      return { answer, signal: say(answer as never, desk) };
    },
  };
}
