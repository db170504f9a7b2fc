/** The fields of requests in addition to an operation's own input. */
import { label, optional, text } from '../operations/field.ts';
import { SUBJECT_MAX_CHARS } from '../core/limits.ts';

const AGENT_ID = 'Id of an agent: letters, digits and any of "_ @ . : ~ + - /"';

export const agentId = label(AGENT_ID);
export const claimed = optional(agentId);
export const project = optional(
  text('A label: one server is one project. Empty or left out: this one', { max_chars: SUBJECT_MAX_CHARS }),
);
const PATTERN_CHARS = 512;
export const pattern = text('Glob, relative to the root of the checkout', { max_chars: PATTERN_CHARS });
