/** The examples at the top of each help page, by command. Loaded only for help. */
import { AGENT_EXAMPLES } from './agents.ts';
import { DAILY_EXAMPLES } from './every-day.ts';
import type { Examples } from './example.ts';
import { LEDGER_EXAMPLES } from './ledger.ts';
import { PROGRAM_EXAMPLES } from './programs.ts';
import { SET_UP_EXAMPLES } from './set-up.ts';

export const EXAMPLES: Examples = {
  ...SET_UP_EXAMPLES,
  ...DAILY_EXAMPLES,
  ...AGENT_EXAMPLES,
  ...LEDGER_EXAMPLES,
  ...PROGRAM_EXAMPLES,
};
