import { describe, expect, it } from 'vitest';
import { appendAll, appendTo, removeAt, setAt } from '../../src/install/json-text.ts';

const V = { m: 'x' };

describe('adding a value', () => {
  it.each([
    ['an empty document', '{}', '{\n  "a": [\n    {\n      "m": "x"\n    }\n  ]\n}'],
    ['an empty document over lines', '{\n}\n', '{\n  "a": [\n    {\n      "m": "x"\n    }\n  ]\n}\n'],
    ['two blanks', '{\n  "b": 1\n}\n', '{\n  "b": 1,\n  "a": [\n    {\n      "m": "x"\n    }\n  ]\n}\n'],
    [
      'four blanks',
      '{\n    "b": 1\n}',
      '{\n    "b": 1,\n    "a": [\n        {\n            "m": "x"\n        }\n    ]\n}',
    ],
    ['tabs', '{\n\t"b": 1\n}', '{\n\t"b": 1,\n\t"a": [\n\t\t{\n\t\t\t"m": "x"\n\t\t}\n\t]\n}'],
    [
      'CRLF',
      '{\r\n  "b": 1\r\n}\r\n',
      '{\r\n  "b": 1,\r\n  "a": [\r\n    {\r\n      "m": "x"\r\n    }\r\n  ]\r\n}\r\n',
    ],
    ['one line', '{"b":1}', '{"b":1,"a": [{"m":"x"}]}'],
    ['one line with blanks', '{ "b": 1, "c": 2 }', '{ "b": 1, "c": 2, "a": [{"m":"x"}] }'],
  ])('keeps the style of %s', (_style, before, after) => {
    expect(appendTo(before, ['a'], V)).toBe(after);
  });

  it('puts an element behind its siblings, on the line of its siblings where they share one', () => {
    expect(appendTo('{\n  "a": ["x", "y"]\n}', ['a'], 'z')).toBe('{\n  "a": ["x", "y", "z"]\n}');
    expect(appendTo('{\n  "a": ["x","y"]\n}', ['a'], 'z')).toBe('{\n  "a": ["x","y","z"]\n}');
    expect(appendTo('{\n  "a": [\n    "x"\n  ]\n}', ['a'], 'z')).toBe(
      '{\n  "a": [\n    "x",\n    "z"\n  ]\n}',
    );
  });

  it('opens an empty container', () => {
    expect(appendTo('{\n  "a": []\n}', ['a'], 'z')).toBe('{\n  "a": [\n    "z"\n  ]\n}');
    expect(setAt('{\n  "h": {}\n}', ['h', 'k'], 1)).toBe('{\n  "h": {\n    "k": 1\n  }\n}');
  });

  it('makes the objects on the way', () => {
    expect(setAt('{}', ['h', 'k', 'j'], 1)).toBe('{\n  "h": {\n    "k": {\n      "j": 1\n    }\n  }\n}');
  });

  it('leaves unusual spacing between other values alone', () => {
    const odd = '{ "b" :1 ,\n\n     "c":[ 1,2 ]\n   }';
    expect(setAt(odd, ['a'], 1)).toBe('{ "b" :1 ,\n\n     "c":[ 1,2 ], "a": 1\n   }');
  });

  it('is not confused by brackets and commas in strings', () => {
    expect(setAt('{\n  "b": "}, \\"[{"\n}', ['a'], 1)).toBe('{\n  "b": "}, \\"[{",\n  "a": 1\n}');
  });
});

describe('replacing a value', () => {
  it('touches nothing but the value', () => {
    expect(setAt('{\n  "a": [ 1,   2 ], "b":3 }', ['a', 1], 9)).toBe('{\n  "a": [ 1,   9 ], "b":3 }');
  });
});

describe('removing a value', () => {
  it.each([
    ['the only one', '{\n  "a": [\n    1\n  ]\n}', ['a', 0], '{\n  "a": []\n}'],
    ['the first', '{\n  "a": [\n    1,\n    2\n  ]\n}', ['a', 0], '{\n  "a": [\n    2\n  ]\n}'],
    ['the last', '{\n  "a": [\n    1,\n    2\n  ]\n}', ['a', 1], '{\n  "a": [\n    1\n  ]\n}'],
    ['one in the middle', '[1, 2, 3]', [1], '[1, 3]'],
    ['a property', '{\n  "a": 1,\n  "b": 2\n}', ['b'], '{\n  "a": 1\n}'],
    ['the only property', '{\n  "a": 1\n}\n', ['a'], '{}\n'],
    ['what is not there', '{"a":1}', ['b'], '{"a":1}'],
  ])('takes its comma along: %s', (_which, before, path, after) => {
    expect(removeAt(before, path)).toBe(after);
  });
});

describe('adding several members', () => {
  const texts = [
    '{}',
    '{\n}',
    '{"b":1}',
    '{ "b": 1, "c": 2 }',
    '{\r\n\t"a": {},\r\n\t"b": 1\r\n}',
    '{"a":{ "x":1}}',
  ];
  const members = ['k', 'l', 'm'].map((name) => ({ name, value: [{ n: name }, { o: [] }] }));

  it.each(texts)('of an object at once gives what one by one gives in %j', (text) => {
    const one_by_one = members.reduce((so_far, { name, value }) => setAt(so_far, ['a', name], value), text);
    expect(appendAll(text, ['a'], members)).toBe(one_by_one);
  });

  it.each([...texts.slice(0, 4), '{"a": ["x"]}', '{\n "a": [\n  1\n ]\n}', '{"a": [ 1, 2 ]}'])(
    'of an array at once gives what one by one gives in %j',
    (text) => {
      const elements = members.map(({ value }) => ({ name: null, value }));
      const one_by_one = members.reduce((so_far, { value }) => appendTo(so_far, ['a'], value), text);
      expect(appendAll(text, ['a'], elements)).toBe(one_by_one);
    },
  );
});
