import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { CheckedStep } from '../../../src/replay/expectation.ts';
import type { Report } from '../../../src/replay/replay.ts';
import { FORMATS } from '../../../src/replay/report/formats.ts';

const event = (at: number, decision: 'pass' | 'deny', more: Partial<CheckedStep> = {}): CheckedStep => ({
  at,
  line: at + 1,
  event: 'PreToolUse',
  tool: 'Edit',
  outcome: { decision, ...(decision === 'deny' ? { error_type: 'STALE_FILE' } : {}) },
  isChecked: true,
  ...more,
});

const good: Report = { file: 'good.jsonl', verdict: 'match', checks: [event(1, 'pass'), event(2, 'deny')] };
const bad: Report = {
  file: 'b:a,d.jsonl',
  verdict: 'mismatch',
  checks: [
    event(1, 'pass'),
    event(2, 'pass', { differs: 'decision: expected "deny", got "pass" & <100%>\n\u0001' }),
  ],
};
const bare: Report = {
  file: 'bare.jsonl',
  verdict: 'mismatch',
  checks: [event(1, 'pass', { isChecked: false })],
};
const open: Report = {
  file: 'open.jsonl',
  verdict: 'unrecorded',
  checks: [
    event(1, 'deny', { isChecked: false }),
    event(2, 'pass', {
      event: 'Stop',
      tool: '',
      isChecked: false,
      outcome: { decision: 'pass', context: true },
    }),
  ],
};
const broken: Report = {
  file: 'broken.jsonl',
  verdict: 'broken',
  checks: [],
  error: { code: 'GUARD_ERR_INPUT', message: 'broken.jsonl:3: no.', hint: 'See docs.' },
};
const all = [good, bad, bare, open, broken];

describe('text', () => {
  test('a session as expected takes one line, of another the differences are shown', () => {
    expect(FORMATS.text([good, bad])).toBe(
      [
        'good.jsonl: as expected (2 events)',
        'b:a,d.jsonl: NOT AS EXPECTED (2 events)',
        '  line 3 PreToolUse Edit: decision: expected "deny", got "pass" & <100%>',
        '\u0001',
        '',
      ].join('\n'),
    );
  });

  test('a session without expectations shows every decision', () => {
    expect(FORMATS.text([open])).toContain(
      '  line 2 PreToolUse Edit: deny STALE_FILE\n  line 3 Stop: pass context\n',
    );
  });

  test('a broken one says why and what to do', () => {
    expect(FORMATS.text([broken])).toBe(
      'broken.jsonl: CANNOT BE PLAYED (0 events)\n  GUARD_ERR_INPUT broken.jsonl:3: no.\n  See docs.\n',
    );
  });
});

test('json has everything', () => {
  const parsed = JSON.parse(FORMATS.json(all)) as {
    ok: boolean;
    sessions: { verdict: string; events: object[]; error?: object }[];
  };
  expect(parsed.ok).toBe(false);
  expect(parsed.sessions.map(({ verdict }) => verdict)).toEqual([
    'match',
    'mismatch',
    'mismatch',
    'unrecorded',
    'broken',
  ]);
  expect(parsed.sessions[0]?.events[1]).toEqual({
    at: 2,
    line: 3,
    event: 'PreToolUse',
    tool: 'Edit',
    decision: 'deny',
    error_type: 'STALE_FILE',
  });
  expect(parsed.sessions[1]?.events[1]).toHaveProperty('differs');
  expect(parsed.sessions[4]?.error).toMatchObject({ code: 'GUARD_ERR_INPUT' });
  expect(FORMATS.json([good])).toMatch(/^\{"ok":true,.*\}\n$/);
});

describe('junit', () => {
  const xml = FORMATS.junit(all);

  test('counts cases, failures and errors of each recording', () => {
    expect(
      [...xml.matchAll(/<testsuite name="([^"]*)" (tests="\d+" failures="\d+" errors="\d+")>/g)].map(
        ([, name, counts]) => `${name} ${counts}`,
      ),
    ).toEqual([
      'good.jsonl tests="2" failures="0" errors="0"',
      'b:a,d.jsonl tests="2" failures="1" errors="0"',
      'bare.jsonl tests="1" failures="1" errors="0"',
      'open.jsonl tests="0" failures="0" errors="0"',
      'broken.jsonl tests="1" failures="0" errors="1"',
    ]);
  });

  test('is XML whatever a message contains', () => {
    expect(xml).toContain('&quot;deny&quot;, got &quot;pass&quot; &amp; &lt;100%&gt;&#10;\uFFFD');
    const python = spawnSync(
      'python3',
      [
        '-c',
        'import sys, xml.dom.minidom as m; print(len(m.parseString(sys.stdin.buffer.read()).getElementsByTagName("testcase")))',
      ],
      { input: xml, encoding: 'utf8' },
    );
    if (python.error === undefined) expect(python.stdout.trim()).toBe('6');
  });
});

describe('github', () => {
  test('an annotation for each difference, escaped, after the text', () => {
    const lines = FORMATS.github(all)
      .split('\n')
      .filter((line) => line.startsWith('::'));
    expect(lines).toEqual([
      '::error file=b%3Aa%2Cd.jsonl,line=3,title=guard replay::PreToolUse Edit: decision: expected "deny", got "pass" & <100%25>%0A\u0001',
      '::error file=bare.jsonl,line=1,title=guard replay::nothing is expected of this recording',
      '::error file=broken.jsonl,line=1,title=guard replay::GUARD_ERR_INPUT broken.jsonl:3: no.',
    ]);
    expect(FORMATS.github([good])).toBe(FORMATS.text([good]));
  });
});
