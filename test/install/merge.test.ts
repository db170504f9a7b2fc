import { describe, expect, it } from 'vitest';
import type { HookTable } from '../../src/install/entries.ts';
import { mergeSettings, stripSettings } from '../../src/install/merge.ts';
import { isGuardRule } from '../../src/install/permission-rules.ts';

const entry = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 60 }] }) as const;
const OURS = '/usr/bin/node /opt/guard/dist/hook.cjs guard';
const hooks: HookTable = { Stop: [entry(OURS)] };
const RULE = 'Bash(guard lock:*)';
const WANTED = { hooks, rules: [RULE] };

const LINES = (indent: string, eol: string) =>
  [
    '"hooks": {',
    '1"Stop": [',
    '2{',
    '3"hooks": [',
    '4{',
    '5"type": "command",',
    `5"command": "${OURS}",`,
    '5"timeout": 60',
    '4}',
    '3]',
    '2}',
    '1]',
    '},',
    '"permissions": {',
    '1"allow": [',
    `2"${RULE}"`,
    '1]',
    '}',
  ]
    .map((line) => indent + line.replace(/^\d/, (depth) => indent.repeat(Number(depth))))
    .join(eol);

describe('merging into settings, byte for byte', () => {
  it.each([
    ['two blanks', '  ', '\n', '\n'],
    ['four blanks', '    ', '\n', '\n'],
    ['tabs', '\t', '\n', '\n'],
    ['CRLF', '  ', '\r\n', '\r\n'],
    ['no newline at the end', '  ', '\n', ''],
  ])('%s', (_style, indent, eol, end) => {
    const before = `{${eol}${indent}"model": "x"${eol}}${end}`;
    const after = `{${eol}${indent}"model": "x",${eol}${LINES(indent, eol)}${eol}}${end}`;
    expect(mergeSettings(before, WANTED, null)).toBe(after);
    expect(stripSettings(after, null)).toBe(before);
  });

  it('hooks of other tools keep their place and their form', () => {
    const before =
      '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "lint"}]}], "Notification": []}}';
    expect(mergeSettings(before, { hooks, rules: [] }, null)).toBe(
      `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "lint"}]},${JSON.stringify(hooks['Stop']?.[0])}], "Notification": []}}`,
    );
  });

  it('a rule joins the rules that are there', () => {
    const before =
      '{\n  "permissions": {\n    "deny": ["WebFetch"],\n    "allow": ["Read", "Bash(ls:*)"]\n  }\n}\n';
    const after = before.replace('"Bash(ls:*)"', `"Bash(ls:*)", "${RULE}"`);
    expect(mergeSettings(before, { hooks: {}, rules: [RULE] }, null)).toBe(after);
  });
});

describe("updating guard's own entries", () => {
  const merged = mergeSettings('{\n  "model": "x"\n}\n', WANTED, null);

  it('changes a moved path where it stands', () => {
    const moved = OURS.replace('/opt', '/srv');
    const after = mergeSettings(merged, { hooks: { Stop: [entry(moved)] }, rules: [RULE] }, null);
    expect(after).toBe(merged.replace(OURS, moved));
  });

  it('changes its rule where it stands', () => {
    const other = 'Bash(node /srv/guard/bin/guard.cjs lock:*)';
    const added = { rules: [RULE], containers: [] };
    expect(mergeSettings(merged, { hooks, rules: [other] }, added)).toBe(merged.replace(RULE, other));
  });

  it('removes copies that somebody made of an entry', () => {
    const doubled = mergeSettings('{}\n', { hooks: { Stop: [entry(OURS), entry(OURS)] }, rules: [] }, null);
    const single = mergeSettings('{}\n', { hooks, rules: [] }, null);
    expect(mergeSettings(doubled, { hooks, rules: [] }, null)).toBe(single);
  });

  it('removes the entries of an event that it uses no longer', () => {
    const two = mergeSettings('{}\n', { hooks: { ...hooks, PostToolBatch: [entry(OURS)] }, rules: [] }, null);
    expect(mergeSettings(two, { hooks, rules: [] }, null)).toBe(
      mergeSettings('{}\n', { hooks, rules: [] }, null),
    );
  });

  it("leaves a person's hook in guard's group, and gives guard a group of its own", () => {
    const shared = {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }, ...entry(OURS).hooks] }] },
    };
    const after = JSON.parse(
      mergeSettings(JSON.stringify(shared, null, 2), { hooks, rules: [] }, null),
    ) as object;
    expect(after).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }, entry(OURS)] },
    });
  });
});

describe('taking guard out', () => {
  it('keeps containers that were there before, and removes those it made', () => {
    const before = '{\n  "hooks": {\n    "Stop": []\n  }\n}\n';
    const merged = mergeSettings(before, WANTED, null);
    const added = { rules: [RULE], containers: ['permissions', 'permissions.allow'] };
    expect(stripSettings(merged, added)).toBe(before);
  });

  it('keeps a rule of the user that guard did not add', () => {
    const before = `{\n  "permissions": {\n    "allow": ["${RULE}"]\n  }\n}\n`;
    const merged = mergeSettings(before, WANTED, null);
    expect(stripSettings(merged, { rules: [], containers: ['hooks', 'hooks.Stop'] })).toBe(before);
  });

  it('leaves an invalid neighbour entry as it is', () => {
    const before = '{\n  "hooks": {\n    "Stop": [\n      7,\n      { "hooks": "none" }\n    ]\n  }\n}\n';
    const merged = mergeSettings(before, { hooks, rules: [] }, null);
    expect(merged).toContain('7,\n      { "hooks": "none" }');
    expect(stripSettings(merged, { rules: [], containers: [] })).toBe(before);
  });
});

describe("guard's rules", () => {
  it.each([
    ['Bash(guard lock:*)', true],
    ["Bash(node '/opt/my guard/bin/guard.cjs' status:*)", true],
    ['Bash(/usr/bin/node /opt/guard/bin/guard.cjs deadlock:*)', true],
    ['Bash(guard:*)', false],
    ['Bash(guardian lock:*)', false],
    ['Bash(ls:*)', false],
  ])('%s', (rule, is) => {
    expect(isGuardRule(rule)).toBe(is);
  });
});
