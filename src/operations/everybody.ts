/** All agents here, drafted or not, in one answer. */
import { LOOK_ROUND } from './agents.ts';
import { type DrafterWorkspace, LIST_DRAFTED } from './drafted.ts';
import { operation } from './operation.ts';

export const LIST_EVERYBODY = operation(
  LOOK_ROUND.name,
  LOOK_ROUND.fields,
  async (filter, space: DrafterWorkspace, around) => ({
    ...(await LIST_DRAFTED.run({}, space, around)),
    here: await LOOK_ROUND.run(filter, space, around),
  }),
);
