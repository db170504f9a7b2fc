import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findClient, isAtLeast } from '../../src/install/client.ts';
import { CLIENT_LIMITS, limitsOf } from '../../src/install/promises.ts';
import { PACKAGE, put, scratchDir } from './scratch.ts';

const client = (version: string | null) => ({ version, from: 'claude --version' }) as const;

describe('the version of the client', () => {
  const dir = scratchDir();
  const program = (name: string, script: string) => {
    chmodSync(put(join(dir, name, 'claude'), `#!/bin/sh\n${script}\n`), 0o755);
    return { PATH: `${join(dir, name)}:/usr/bin:/bin` };
  };

  it('is what the program on PATH says', () => {
    expect(findClient(program('new', 'echo "2.1.330 (Claude Code)"'))).toEqual(client('2.1.330'));
  });

  it('is what runs around this command, when something does', () => {
    expect(findClient({ AI_AGENT: 'claude-code_2-1-330_harness', PATH: '' })).toEqual({
      version: '2.1.330',
      from: 'AI_AGENT',
    });
  });

  it.each([
    ['there is no program', { PATH: '/nonexistent' }],
    ['there is no PATH', {}],
    ['it says something else', program('odd', 'echo hello')],
    ['it fails', program('bad', 'exit 3')],
  ])('is not known when %s', (_when, env) => {
    expect(findClient(env)).toEqual({ version: null, from: 'nowhere' });
  });

  it.each([
    ['2.1.200', '2.1.200', true],
    ['2.1.199', '2.1.200', false],
    ['2.1.1000', '2.1.200', true],
    ['2.2.0', '2.1.200', true],
    ['2.0.77', '2.1.200', false],
    ['3.0.0', '2.1.200', true],
    [null, '2.1.200', true],
  ])('%s against %s', (have, want, is) => {
    expect(isAtLeast(client(have), want)).toBe(is);
  });

  it.each([
    ['2.1.330', []],
    ['2.1.300', []],
    ['2.1.200', ['P6']],
    ['2.1.100', ['P2', 'P7', 'P8', 'P8', 'P6']],
    ['2.0.77', ['P1', 'P2', 'P3', 'P4', 'P9', 'P2', 'P7', 'P8', 'P8', 'P6']],
  ])('%s limits %j', (version, promises) => {
    expect(limitsOf(client(version)).flatMap((limit) => limit.promises)).toEqual(promises);
  });

  it.each([
    ['2.1.300', []],
    ['2.1.200', ['onFailure', 'UserPromptSubmit in mid-turn']],
    ['2.0.77', CLIENT_LIMITS.map(({ lacks }) => lacks)],
  ])('%s lacks %j', (version, lacks) => {
    expect(limitsOf(client(version)).map((limit) => limit.lacks)).toEqual(lacks);
  });

  it('and what it lacks are rows of the documented table', () => {
    const page = readFileSync(join(PACKAGE, 'docs/promises.md'), 'utf8');
    for (const { lacks, until, promises, text } of CLIENT_LIMITS) {
      const names = lacks.replace(/\b(\w*[A-Z_]\w*)\b/g, '`$1`');
      expect(page).toContain(`| ${names} | ${until} | ${text} | ${promises.join(', ')} |`);
    }
  });
});
