import { describe, expect, it } from 'vitest';
import {
  choice,
  flag,
  label,
  listOf,
  neverEmpty,
  number,
  oneOrMany,
  optional,
  text,
  withDefault,
} from '../../src/operations/field.ts';
import { readInput } from '../../src/operations/read-input.ts';
import { schemaOf } from '../../src/operations/schema.ts';

const FIELDS = {
  names: listOf('Some', text(''), { min: 1, max: 2 }),
  to: withDefault(oneOrMany('', text(''), 3), []),
  minutes: withDefault(number('', { above: 0, max: 60, cut: true }), 15),
  ttl: optional(number('', { min: 1, max: 10 })),
  wide: withDefault(flag(''), true),
  level: withDefault(choice('', ['low', 'high']), 'low'),
  why: withDefault(text('', { max_chars: 3, cut: true }), ''),
  called: optional(label('')),
  old: { ...withDefault(number('', { max: 9 }), 1), is_hidden: true as const },
};

const read = (given: object) => readInput(FIELDS, { names: ['a'], ...given });

describe('an input', () => {
  it('with a flood of arguments that there are not has a few of them named, and the others counted', () => {
    const flood = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`x${n}`, n]));
    const { notes } = read(flood);
    expect(notes).toHaveLength(6);
    expect(notes[0]).toBe('"x0" is not an argument of this call and was ignored.');
    expect(notes.at(-1)).toBe('and 4995 more that are not arguments of this call.');
  });

  it('may be left out where it must not be empty', () => {
    const fields = { agent: neverEmpty(optional(label(''))) };
    expect(readInput(fields, {}).input).toEqual({ agent: undefined });
    expect(() => readInput(fields, { agent: '' })).toThrow('agent must not be empty.');
  });

  it('that leaves out what it may means the defaults, and nothing is said', () => {
    expect(read({ ttl: null, level: '', why: undefined })).toEqual({
      input: {
        names: ['a'],
        to: [],
        minutes: 15,
        ttl: undefined,
        wide: true,
        level: 'low',
        why: '',
        called: undefined,
        old: 1,
      },
      notes: [],
    });
  });

  it.each([
    [{ minutes: '60' }, { minutes: 60 }, ['minutes: "60" was read as 60.']],
    [{ wide: 'false' }, { wide: false }, ['wide: "false" was read as false.']],
    [{ minutes: 90 }, { minutes: 60 }, ['minutes: 60 is the most, so it is 60.']],
    [
      { minutes: '90' },
      { minutes: 60 },
      ['minutes: "90" was read as 90.', 'minutes: 60 is the most, so it is 60.'],
    ],
    [{ why: 'because' }, { why: 'bec' }, ['why: only its first 3 characters count.']],
    [{ colour: 1 }, {}, ['"colour" is not an argument of this call and was ignored.']],
    [{ to: 'x' }, { to: ['x'] }, []],
  ])('%j is read, and what was altered is said', (given, input, notes) => {
    expect(read(given)).toMatchObject({ input, notes });
  });

  it.each([
    [{ names: [] }, 'names', 'names is required.'],
    [{ names: 'a' }, 'names', 'names must be a list, not "a".'],
    [{ names: ['a', 5] }, 'names', 'names has an item that must be text, not ["a",5].'],
    [{ names: ['a', 'b', 'c'] }, 'names', 'names must have at most 2 items, not ["a","b","c"].'],
    [{ minutes: 'soon' }, 'minutes', 'minutes must be a number, not "soon".'],
    [{ minutes: 0 }, 'minutes', 'minutes must be more than 0, not 0.'],
    [{ minutes: true }, 'minutes', 'minutes must be a number, not true.'],
    [{ ttl: 11 }, 'ttl', 'ttl must be at most 10, not 11.'],
    [{ wide: 1 }, 'wide', 'wide must be true or false, not 1.'],
    [{ called: 'a\tb' }, 'called', 'called must have no control characters, not "a\\tb".'],
    [{ level: 'LOW' }, 'level', 'level must be one of low, high, not "LOW".'],
  ])('%j is refused, and the field named', (given, field, message) => {
    expect(() => read(given)).toThrow(
      expect.objectContaining({ code: 'GUARD_ERR_USAGE', message, facts: { field } }),
    );
  });

  it('is told of in the words of who gave it', () => {
    const how = { nameOf: () => '--minutes', isAllText: true };
    expect(readInput(FIELDS, { names: ['a'], minutes: '5' }, how).notes).toEqual([]);
    expect(() => readInput(FIELDS, { names: ['a'], minutes: 'x' }, how)).toThrow(
      '--minutes must be a number',
    );
  });
});

describe('the schema', () => {
  it('has what callers should know, and not what only old ones send', () => {
    expect(schemaOf(FIELDS)).toMatchObject({
      type: 'object',
      required: ['names'],
      properties: {
        names: { type: 'array', items: { type: 'string' }, description: 'Some' },
        minutes: { type: 'number', exclusiveMinimum: 0, default: 15 },
        level: { type: 'string', enum: ['low', 'high'] },
      },
    });
    expect(Object.keys(schemaOf(FIELDS).properties)).not.toContain('old');
  });
});
