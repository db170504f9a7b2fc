import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hookTable } from '../../src/install/entries.ts';
import type { FileFound } from '../../src/install/file-change.ts';
import { hookSettings, unhookSettings } from '../../src/install/settings-change.ts';
import type { WantedFile } from '../../src/install/status-line.ts';

const RUNS = Number(process.env['GUARD_TEST_RUNS'] ?? 60);

const wantedOf = (command: string): WantedFile => ({
  hooks: hookTable(command, 'all', {
    readers: ['mcp__fs__read'],
    writers: ['mcp__my-fs__write', 'mcp__x__*'],
  }),
  rules: [`Bash(guard lock:*)`, `Bash(guard status:*)`],
  status_line: { command: 'guard', below: null, refresh_s: 10 },
});
const WANTED = wantedOf('/usr/bin/node /opt/guard/dist/hook.cjs guard');
const MOVED = wantedOf("/usr/bin/node '/opt/my guard/dist/hook.cjs' guard");

const hook = fc.record(
  {
    type: fc.constant('command'),
    command: fc.constantFrom('lint', 'node "a b.js"', 'echo "}"'),
    timeout: fc.nat(99),
  },
  { requiredKeys: ['type', 'command'] },
);
const group = fc.record(
  { matcher: fc.constantFrom('Edit', 'Bash', '*'), hooks: fc.array(hook, { maxLength: 2 }) },
  { requiredKeys: ['hooks'] },
);
const hooks = fc.dictionary(
  fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop', 'Notification'),
  fc.array(group, { maxLength: 3 }),
);
const permissions = fc.record(
  {
    allow: fc.array(fc.constantFrom('Read', 'Bash(ls:*)', 'Bash(guard status:*)')),
    deny: fc.array(fc.string()),
  },
  { requiredKeys: [] },
);
const settings = fc
  .record(
    {
      hooks,
      permissions,
      model: fc.string(),
      statusLine: fc.record(
        { type: fc.constant('command'), command: fc.string({ minLength: 1 }), padding: fc.nat(3) },
        { requiredKeys: ['type', 'command'] },
      ),
      env: fc.dictionary(fc.string(), fc.string()),
      list: fc.array(fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  .chain((value) => fc.shuffledSubarray(Object.entries(value)).map((entries) => Object.fromEntries(entries)));

/** JSON as people and programs format it. */
const written = fc
  .record({
    value: settings,
    unit: fc.constantFrom<(string | number | undefined)[]>(2, 4, '\t', 3, undefined),
    eol: fc.constantFrom('\n', '\r\n'),
    lead: fc.constantFrom('', '\n', '  '),
    end: fc.constantFrom('', '\n', '\r\n', '\n\n', ' '),
    bom: fc.constantFrom('', '\uFEFF'),
    spread: fc.boolean(),
  })
  .map(({ value, unit, eol, lead, end, bom, spread }) => {
    const text = JSON.stringify(value, null, unit).replaceAll('\n', eol);
    const loose = spread ? text.replaceAll('[]', `[${eol} ]`).replaceAll('{}', '{ }') : text;
    return bom + lead + loose + end;
  })
  // The added spaces may have landed inside a string, at a bracket.
  .filter((text) => isJson(text));

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace('\uFEFF', ''));
    return true;
  } catch {
    return false;
  }
}

const found = (text: string | null): FileFound => ({
  path: '/r/.claude/settings.json',
  target: '/r/.claude/settings.json',
  is_link: false,
  bytes: text === null ? null : Buffer.from(text, 'utf8'),
  mode: 0o644,
});

const valueOf = (bytes: Buffer | null): unknown =>
  JSON.parse((bytes?.toString('utf8') ?? '{}').replace('\uFEFF', ''));

describe('guard init, then guard uninstall', () => {
  it('leaves every settings file byte for byte as it was', () => {
    fc.assert(
      fc.property(written, (text) => {
        const { change, entry } = hookSettings(found(text), WANTED, undefined);
        expect(change.after?.equals(Buffer.from(text))).toBe(false);
        expect(unhookSettings({ ...change.found, bytes: change.after }, entry).after?.toString('utf8')).toBe(
          text,
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('is byte-identical too after a second init with another path', () => {
    fc.assert(
      fc.property(written, (text) => {
        const first = hookSettings(found(text), WANTED, undefined);
        const second = hookSettings({ ...first.change.found, bytes: first.change.after }, MOVED, first.entry);
        expect(second.change.after?.toString()).not.toContain('/opt/guard/dist');
        expect(
          unhookSettings({ ...first.change.found, bytes: second.change.after }, second.entry).after?.toString(
            'utf8',
          ),
        ).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('guard init', () => {
  it('adds its entries to whatever is there and changes no value that is not its own', () => {
    fc.assert(
      fc.property(written, (text) => {
        const before = valueOf(Buffer.from(text)) as Record<string, unknown>;
        const after = valueOf(hookSettings(found(text), WANTED, undefined).change.after) as Record<
          string,
          unknown
        >;
        const keep = (value: Record<string, unknown>) => ({
          ...value,
          hooks: undefined,
          permissions: undefined,
          statusLine: undefined,
        });
        expect(keep(after)).toEqual(keep(before));
        for (const [event, groups] of Object.entries((before['hooks'] ?? {}) as Record<string, unknown[]>)) {
          const now = (after['hooks'] as Record<string, unknown[]>)[event] ?? [];
          expect(now.slice(0, groups.length)).toEqual(groups);
          expect(now.slice(groups.length)).toEqual(WANTED.hooks[event] ?? []);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(written, (text) => {
        const { change, entry } = hookSettings(found(text), WANTED, undefined);
        const again = hookSettings({ ...change.found, bytes: change.after }, WANTED, entry);
        expect(again.change.after).toBe(again.change.found.bytes);
        expect(again.entry).toEqual(entry);
        const clone = hookSettings({ ...change.found, bytes: change.after }, WANTED, undefined);
        expect(clone.change.after).toBe(clone.change.found.bytes);
      }),
      { numRuns: RUNS },
    );
  });

  it('touches only whole lines of its own where the file is written over lines', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(2, 4, '\t'), (value, unit) => {
        const text = `${JSON.stringify({ first: 1, ...value, statusLine: undefined }, null, unit)}\n`;
        const after = hookSettings(found(text), WANTED, undefined).change.after?.toString('utf8') ?? '';
        const lines = after.split('\n').map((line) => line.replace(/,$/, ''));
        let at = 0;
        // Every old line is still there, in order; a comma may have been added, or an empty container opened.
        for (const line of text
          .split('\n')
          .map((old) => old.replace(/,$/, '').replace(/(\[|\{)[\]}]$/, '$1'))) {
          while (
            at < lines.length &&
            lines[at] !== line &&
            lines[at]?.replace(/(\[|\{)[\]}]$/, '$1') !== line
          )
            at += 1;
          expect(at, `lost: ${line}`).toBeLessThan(lines.length);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe('guard uninstall after other changes', () => {
  it("takes out guard's entries and keeps everything else", () => {
    fc.assert(
      fc.property(written, (text) => {
        const { change, entry } = hookSettings(found(text), WANTED, undefined);
        const edited = { ...(valueOf(change.after) as object), addedByUser: [1] };
        const bytes = Buffer.from(JSON.stringify(edited, null, 2));
        const undone = unhookSettings({ ...change.found, bytes }, entry).after;
        expect(valueOf(undone)).toEqual({ ...(valueOf(Buffer.from(text)) as object), addedByUser: [1] });
      }),
      { numRuns: RUNS },
    );
  });

  it('does nothing to settings that guard is not in', () => {
    fc.assert(
      fc.property(written, (text) => {
        expect(unhookSettings(found(text), undefined).after?.toString('utf8')).toBe(text);
      }),
      { numRuns: RUNS },
    );
  });
});
