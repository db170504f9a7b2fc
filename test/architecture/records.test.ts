/** docs/records.md is the reference for readers of the ledger: every record and every state, with their fields. */
import { describe, expect, test } from 'vitest';

import { RECORD_TYPES } from '../../src/core/record-types.ts';
import { fieldsOf, recordsWritten } from './records.ts';
import { filesIn, textOf } from './sources.ts';

const PAGE = textOf('docs/records.md');

/** The rows of the table below a heading, keyed by their first cell. */
function rowsBelow(heading: string): ReadonlyMap<string, string> {
  const section = PAGE.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `([^`]+)` \|(.*)\|$/gm)];
  return new Map(rows.map(([, name = '', rest = '']) => [name, rest]));
}

const lacking = (names: Iterable<string>, row: string): string[] =>
  [...names].filter((name) => !row.includes(`\`${name}\``));

describe('docs/records.md', () => {
  const types = rowsBelow('Types');
  const written = recordsWritten();

  test('has every type of record that is written, and no other', () => {
    expect(written.size).toBeGreaterThan(25);
    expect([...types.keys()].sort()).toEqual([...written.keys()].sort());
  });

  test('has those that guard log --type knows', () => {
    expect([...RECORD_TYPES].sort()).toEqual([...types.keys()].sort());
  });

  test('has every fact of each', () => {
    const wrong = [...written].flatMap(([type, facts]) => {
      const row = types.get(type) ?? '';
      const other = /as `(\w+)`/.exec(row)?.[1] ?? '';
      return lacking(facts, row + (types.get(other) ?? '')).map((fact) => `${type}: ${fact}`);
    });
    expect(wrong).toEqual([]);
  });

  const STATES = [
    ['path:<path>', 'src/core/types.ts', 'PathState'],
    ['agent:<id>', 'src/core/types.ts', 'AgentState'],
    ['machine:<id>', 'src/core/machines.ts', 'MachineState'],
    ['wait:<id>', 'src/core/types.ts', 'WaitState'],
    ['globs:', 'src/core/rules/reserved.ts', 'ReservedIndex'],
    ['globs:<id>', 'src/core/rules/reserved.ts', 'ReservedState'],
    ['globs:<id>', 'src/core/rules/reserved.ts', 'Reservation'],
    ['begins:<place>', 'src/core/rules/places.ts', 'PlaceState'],
    ['below:<n>/<place>', 'src/core/rules/places.ts', 'NamesState'],
    ['profile:<id>', 'src/core/profiles.ts', 'Profile'],
    ['inbox:<id>', 'src/core/mailbox.ts', 'Inbox'],
    ['message:<m-lsn>', 'src/core/mailbox.ts', 'Message'],
    ['thread:<id>', 'src/core/mailbox.ts', 'Thread'],
    ['topic:<name>', 'src/core/mailbox.ts', 'Topic'],
    ['worktree:<id>', 'src/core/worktrees.ts', 'WorktreeAgents'],
    ['draft:<id>', 'src/core/drafts.ts', 'DraftState'],
  ] as const;
  const keys = rowsBelow('Keys');

  test.each(STATES)('has every field of %s', (key, path, name) => {
    expect(lacking(fieldsOf(path, name), keys.get(key) ?? '')).toEqual([]);
  });

  test('has every kind of key', () => {
    const kinds = filesIn('src/core', /\.ts$/).flatMap((path) =>
      [...textOf(path).matchAll(/(?:= |=> )[`']([a-z]+:|(?:held|on)\/)(?:\$\{[^`]*\}:?`|')/g)].map(
        ([, kind = '']) => kind,
      ),
    );
    const known = new Set([...keys.keys()].map((key) => /^[a-z]+[:/]/.exec(key)?.[0]));
    expect(new Set(kinds)).toEqual(known);
    expect(STATES.map(([key]) => key).filter((key) => !keys.has(key))).toEqual([]);
  });
});
