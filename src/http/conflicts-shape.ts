/** The answer of a check of a pattern. */
import * as z from 'zod';
import { ConflictSchema } from './shapes.ts';

export const ConflictsSchema = z.object({
  conflicts: z.array(ConflictSchema),
  clear: z.array(z.string()).describe('The pattern, if it could be reserved now'),
  elsewhere: z
    .array(
      ConflictSchema.extend({
        checkout: z.string().describe('Empty: the main one'),
        branch: z.string().nullable(),
      }),
    )
    .optional()
    .describe('Agents that hold some of it in another checkout: no conflict'),
});
