/** For the tests of the measures: a name declared twice, a cycle by a type, and a function with five parameters. */
import type { Other } from './two.ts';

export type Same = Other;

export const five = (a: number, b: number, c: number, d: number, e: number): number => a + b + c + d + e;
