/** How much of a message a hook shows: one quoted line, cut if long. A message shown whole counts as read. */
import { fieldsOf, type Message } from './mailbox.ts';
import { plain } from './plain.ts';

const BODY_CHARS = 400;
const WORD_CHARS = 200;

/** The length between the quotes. */
const lengthOf = (text: string): number => JSON.stringify(text).length - 2;

/** Without characters that a terminal would interpret. */
export function quoted(value: unknown, most = WORD_CHARS): string {
  const text = plain(typeof value === 'string' ? value : '');
  return JSON.stringify(lengthOf(text) <= most ? text : `${cutAt(text, most)} [cut]`);
}

function cutAt(text: string, most: number): string {
  let cut = text.slice(0, most);
  for (let over = lengthOf(cut) - most; over > 0; over = lengthOf(cut) - most)
    cut = cut.slice(0, -Math.ceil(over / 6));
  return cut;
}

/** The displayed parts of a message, besides its sender and kind. */
export interface Parts {
  /** For a request and the answers to it. */
  readonly file: unknown;
  readonly reason: unknown;
  readonly subject: string;
  readonly body: string;
}

export function partsOf({ kind, body, subject }: Pick<Message, 'kind' | 'body' | 'subject'>): Parts {
  const fields = fieldsOf(body);
  return kind === 'message'
    ? { file: '', reason: '', subject, body }
    : { file: fields['file'] ?? fields['pattern'], reason: fields['reason'], subject: '', body: '' };
}

export const quotedBody = (body: string): string => quoted(body, BODY_CHARS);

const fits = (value: unknown, most: number): boolean =>
  typeof value !== 'string' || lengthOf(plain(value)) <= most;

export function isShownWhole(message: Message): boolean {
  const { file, reason, subject, body } = partsOf(message);
  return [file, reason, subject].every((word) => fits(word, WORD_CHARS)) && fits(body, BODY_CHARS);
}
