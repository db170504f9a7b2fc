/**
 * What the coordination tools take. What is missing or of another type becomes empty or the default, so that each tool says
 * itself, and in its own words, what it cannot do without.
 */
import * as z from 'zod';
import { RESERVED, SIGNED_CHARS } from '../../core/lock-tools.ts';

export const text = (about: string) => z.string().catch('').describe(about);
export const optionalText = (about: string) => z.string().optional().catch(undefined).describe(about);
/** Whatever was given, as text: one that cannot be right is refused by name, never dropped. */
export const cursorText = (about: string) =>
  z
    .preprocess(
      (given) =>
        given === null || given === undefined || typeof given === 'string'
          ? (given ?? undefined)
          : JSON.stringify(given),
      z.string().optional(),
    )
    .optional()
    .describe(about);
export const texts = (about: string) => z.array(z.string()).catch([]).describe(about);
export const number = (about: string) => z.number().optional().catch(undefined).describe(about);
export const flag = (value: boolean, about: string) =>
  z.boolean().default(value).catch(value).describe(about);

/** Filled in by guard's hook. */
export const signature = {
  [RESERVED.agent]: z.string().max(SIGNED_CHARS).optional().describe('Filled in by guard. Leave it out.'),
  [RESERVED.cwd]: z.string().max(4_096).optional().describe('Filled in by guard. Leave it out.'),
};

export type Shape = Readonly<Record<string, z.ZodType>>;
