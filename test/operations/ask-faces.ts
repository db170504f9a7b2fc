/** One request through every face that offers it, and the parts of the answers that must match. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { InputFields } from '../../src/operations/field.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { essenceOf, type Faces, type Input, type Json, type Said } from './faces.ts';

const RUNS = Number(process.env['GUARD_TEST_FACES'] ?? 12);

/** How to make one request at each face; a face that cannot express it, or lacks it, is left out. */
interface Asked {
  readonly mcp?: string;
  readonly http?: readonly [method: string, path: string];
  readonly cli?: readonly string[] | null;
}

let calls = 0;
/** A separate agent for each face, so that no answer depends on the previous one. */
const fresh = (): string => `go-${++calls}`;

export async function ask<F extends InputFields, R extends object>(
  faces: Faces,
  op: Operation<F, R>,
  input: Input,
  { mcp, http, cli }: Asked,
  prepare: (agent: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<Map<string, Said>> {
  const said = new Map<string, Said>();
  const as = async (face: string, call: (agent: string) => Promise<Said>): Promise<void> => {
    const agent = fresh();
    await prepare(agent);
    said.set(face, await call(agent));
  };
  await as('itself', (agent) => faces.direct(op, agent, input));
  if (mcp !== undefined) await as('mcp', (agent) => faces.mcp(mcp, agent, input));
  if (http !== undefined)
    await as('http', (agent) => faces.ask(http[0], http[1].replace('ME', agent), agent, input));
  if (cli != null) await as('command', (agent) => faces.cli(agent, ...cli));
  return said;
}

export function expectOne(said: Map<string, Said>, of: (answer: Json) => unknown): void {
  const told = Object.fromEntries([...said].map(([face, one]) => [face, essenceOf(of)(one)]));
  expect(told).toEqual(Object.fromEntries([...said.keys()].map((face) => [face, told['itself']])));
}

export const whole = (answer: Json): unknown => answer;
export const counts =
  (...names: readonly string[]) =>
  (answer: Json): unknown =>
    names.map((name) => (Array.isArray(answer[name]) ? answer[name].length : answer[name]));
export const isWord = (value: unknown): value is string => typeof value === 'string';
export const areWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isWord);

export const play = <T>(
  asked: fc.Arbitrary<T>,
  run: (input: T) => Promise<void>,
  examples: T[] = [],
): Promise<void> =>
  fc.assert(fc.asyncProperty(asked, run), { numRuns: RUNS, examples: examples.map((one) => [one] as [T]) });
