import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../src/config/file.ts';
import { errorOf } from '../repo/errors.ts';
import { put, scratchDir } from '../repo/scratch.ts';

const dir = scratchDir();

interface Failure {
  readonly code: string;
  readonly facts: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly reason: string;
  };
  readonly hint: string;
  readonly message: string;
}

function failure(text: string, owner: 'user' | 'repository' = 'repository'): Failure {
  const error = errorOf(() => readConfigFile(put(join(dir, 'c.json'), text), owner));
  expect(error).toMatchObject({ code: 'GUARD_ERR_CONFIG' });
  return error as Failure;
}

describe('a good file', () => {
  it('may be empty of keys, have a byte order mark, CRLF, a $schema and every key', () => {
    const text =
      '\uFEFF{\r\n "$schema": "./guard.schema.json",\r\n "preset": "strict", "enforcement": "required", "unread": "always", "ttl": 900, "idle": "3m", "release_on": "stop", "durability": "fsync", "deadline": "2.5s",\r\n "mcp": {"writers": [{"tool": "mcp__fs__*", "paths": ["path", "edits.file_path"]}], "readers": []}}\r\n';
    const layer = readConfigFile(put(join(dir, 'good.json'), text), 'repository');
    expect(layer).toMatchObject({
      preset: 'strict',
      allow_weaker: false,
      settings: { ttl: 900_000, idle: 180_000, deadline: 2500 },
    });
    expect(layer?.lineOf('mcp')).toBe(4);
    expect(layer?.lineOf('nothing')).toBeNull();
    expect(readConfigFile(put(join(dir, 'empty.json'), '{}'), 'repository')).toMatchObject({
      preset: null,
      settings: {},
    });
    expect(readConfigFile(join(dir, 'missing.json'), 'user')).toBeNull();
    expect(readConfigFile(put(join(dir, 'user.json'), '{"allow_weaker": true}'), 'user')).toMatchObject({
      allow_weaker: true,
    });
  });
});

describe('a bad file is GUARD_ERR_CONFIG with its place and the next step', () => {
  it('unknown keys, with a suggestion, on every level', () => {
    expect(failure('{\n  "unred": "off"\n}')).toMatchObject({
      facts: { line: 2, column: 3 },
      hint: 'Did you mean "unread"?',
    });
    expect(failure('{"releaseOn": "stop"}').hint).toBe('Did you mean "release_on"?');
    expect(failure('{"database": "redis"}').hint).toMatch(/^Possible: "\$schema", "preset"/);
    expect(failure('{"mcp": {"writer": []}}')).toMatchObject({
      facts: { column: 10 },
      hint: 'Did you mean "writers"?',
    });
    expect(
      failure('{"mcp": {"writers": [\n{"tool": "mcp__a__b", "paths": ["p"], "path": "x"}]}}'),
    ).toMatchObject({ facts: { line: 2, column: 39 } });
    for (const key of ['__proto__', 'constructor', 'toString', ''])
      expect(failure(`{${JSON.stringify(key)}: {}}`).facts.column).toBe(2);
  });

  it('wrong values, with what would be right', () => {
    expect(failure('{"enforcement": "require"}').hint).toBe('Did you mean "required"?');
    expect(failure('{"enforcement": null}').facts.reason).toMatch(
      /^"enforcement": null is not a valid value/,
    );
    expect(failure('{"ttl": "15 m"}').facts.reason).toBe('"ttl": "15 m" is not a duration');
    expect(failure('{"ttl": "1s"}').facts.reason).toBe('"ttl": "1s" is not from 10s to 24h');
    for (const value of ['-1', '1e99', 'true', '[]', '"1h30m"', '"m"', '""', '"\\u0661m"'])
      expect(failure(`{"idle": ${value}}`).facts.column).toBe(2);
    expect(failure('{"deadline": "31s"}').facts.reason).toContain('is not from 500ms to 30s');
    expect(failure('{"$schema": 1}').facts.column).toBe(2);
    expect(failure('{"allow_weaker": "yes"}', 'user').hint).toContain('true or false');
    expect(failure('{"allow_weaker": false}').facts.reason).toContain('cannot be set by a repository');
    expect(failure('{"otlp_endpoint": "http://127.0.0.1:4318"}').facts.reason).toContain(
      'cannot be set by a repository',
    );
  });

  it('MCP tools that would switch guard off, or name nothing', () => {
    for (const tool of ['Write', 'Bash', '*', 'mcp__', 'mcp__*', 'mcp__a*b', 'mcp__a b', '', 'xmcp__a__b']) {
      const text = JSON.stringify({ mcp: { readers: [{ tool, paths: ['path'] }] } });
      expect(failure(text).facts.reason).toContain('does not name MCP tools');
    }
    for (const paths of ['path', [], ['a..b'], [''], ['.a'], [1], null]) {
      expect(
        failure(JSON.stringify({ mcp: { writers: [{ tool: 'mcp__a__b', paths }] } })).facts.reason,
      ).toContain('"paths" must be a list');
    }
    expect(failure('{"mcp": []}').facts.reason).toContain('must be an object');
    expect(failure('{"mcp": {"writers": {}}}').facts.reason).toContain('is not a list');
    expect(failure('{"mcp": {"writers": [7]}}').facts.column).toBe(22);
    expect(failure('{"mcp": {"writers": [{"paths": ["p"]}]}}').facts.column).toBe(22);
  });

  it('syntax errors, at the place where a person would look', () => {
    const places: readonly (readonly [string, number, number])[] = [
      ['', 1, 1],
      ['{\n  "ttl": "1m",\n}', 3, 1],
      ['{\n  // why\n}', 2, 3],
      ["{'ttl': 1}", 1, 2],
      ['{"ttl": 1m}', 1, 9],
      ['{"ttl": "1m" "idle": "2m"}', 1, 14],
      ['{"ttl": "1m"}}', 1, 14],
      ['{"ttl": "1m\n"}', 1, 9],
      ['{"ttl": "1m"', 1, 13],
      ['{"ttl" "1m"}', 1, 8],
      ['{"a": 01}', 1, 7],
      ['{"a": +1}', 1, 7],
      ['[1,]', 1, 4],
      ['nul', 1, 1],
    ];
    for (const [text, line, column] of places)
      expect({ text, ...failure(text).facts }).toMatchObject({ text, line, column });
  });

  it('a key that is given twice: JSON would silently take the last', () => {
    expect(failure('{"unread": "always",\n "unread": "off"}').facts).toMatchObject({
      line: 2,
      column: 2,
      reason: 'the key "unread" is given twice',
    });
    expect(failure('{"unread": "always", "unr\\u0065ad": "off"}').facts.column).toBe(22);
  });

  it('the first of several mistakes, in the order of the file', () => {
    expect(failure('{"mcp": 1,\n"ttl": 1,\n"zzz": 1}').facts.line).toBe(1);
    expect(failure('{"zzz": 1,\n"ttl": 1,\n"mcp": 1}').facts.line).toBe(1);
  });

  it('what is no object, too deep, or too large', () => {
    for (const text of ['[]', '"x"', 'null', '3'])
      expect(failure(text).facts.reason).toContain('is an object');
    expect(failure('['.repeat(100_0)).facts.reason).toContain('too deeply nested');
    expect(failure(`{"$schema": "${'x'.repeat(70_000)}"}`).facts.reason).toContain('larger than');
  });

  it('the message begins with file:line:column, as editors and terminals link it', () => {
    expect(failure('{"x": 1}').message).toMatch(new RegExp(`^${join(dir, 'c.json')}:1:2: `));
  });
});
