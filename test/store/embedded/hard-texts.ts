import fc from 'fast-check';

/** Names and texts that are hard to quote, and some that look like a record's frame. */
export const hard = fc.constantFrom(
  '',
  's',
  '"s":{',
  ',"s":{"a":1}',
  '"prev":"00000000"',
  '\\',
  '"',
  '\n',
  'ü',
  '\ud83d',
  '[{',
  'null',
);
