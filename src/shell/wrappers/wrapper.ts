import type { Call, Reading } from '../call.ts';

/** A command that runs others. Null: not in this form; ask the tables of writers. */
export type Wrapper = (call: Call) => Reading | null;
