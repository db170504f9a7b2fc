import type { Call, Reading } from '../call.ts';

/** A command that runs others. Null if this form does not; the tables of writers are then consulted. */
export type Wrapper = (call: Call) => Reading | null;
