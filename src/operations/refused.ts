/** Valid requests that were refused. Every interface reports them in its own envelope, with this code and text. */
export const REFUSALS = {
  RATE_LIMITED: 'Too many messages in this minute.',
  BLOCKED: 'The recipient accepts no messages from this agent.',
  STILL_HELD: 'It says "released" about something its sender still holds.',
  NOBODY: 'There is no one to send it to.',
  NO_MESSAGE: 'It is not in the inbox of this agent.',
  NAME_TAKEN: 'Another agent has that name.',
  GONE: 'The agent left meanwhile.',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export class Refused extends Error {
  readonly code: RefusalCode;
  readonly hint: string;
  readonly facts: Readonly<Record<string, string | number>>;

  constructor(code: RefusalCode, message: string, hint: string, facts: Refused['facts'] = {}) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.hint = hint;
    this.facts = facts;
  }
}
