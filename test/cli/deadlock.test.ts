/** `guard deadlock`: cycles in the ledger, in a copy of its file, and in logs of other programs. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scratch, type Scratch } from '../claude/driver.ts';

interface Told {
  readonly cycles: readonly {
    readonly kind: string;
    readonly agents: readonly string[];
    readonly victim?: string;
    readonly edges: readonly object[];
  }[];
  readonly edges: readonly object[];
}

/** A holds a and wants b, B holds b and wants a. */
function crossed(): Scratch {
  const at = scratch();
  at.guard('lock', 'try', 'a', '--agent', 'A');
  at.guard('lock', 'try', 'b', '--agent', 'B');
  at.guard('lock', 'try', 'b', '--agent', 'A');
  at.guard('lock', 'try', 'a', '--agent', 'B');
  return at;
}

const ledgerOf = (at: Scratch): string =>
  `${at.state}/${fs.readdirSync(at.state).find((name) => name.startsWith('ledger-')) ?? ''}`;

describe('two agents that were refused what the other holds', () => {
  it('are a possible cycle: exit 1, as data with every edge', () => {
    const told = crossed().guard('deadlock', '--json');
    expect(told.exit).toBe(1);
    expect((told.json() as Told).cycles).toMatchObject([
      {
        kind: 'possible',
        agents: ['A', 'B'],
        edges: [
          { from: 'A', to: 'B', path: 'b', kind: 'wanted' },
          { from: 'B', to: 'A', path: 'a', kind: 'wanted' },
        ],
      },
    ]);
  });

  it('are no cycle after one of them releases its file, or gets the other one', () => {
    const at = crossed();
    at.guard('lock', 'release', 'b', '--agent', 'B');
    at.guard('lock', 'try', 'b', '--agent', 'A');
    expect(at.guard('deadlock').exit).toBe(0);
    expect(at.guard('deadlock', '--json').json()).toMatchObject({ cycles: [] });
  });

  it('are shown to people as text', () => {
    const { stdout } = crossed().guard('deadlock');
    expect(stdout).toMatch(/Possible deadlock 1/);
    expect(stdout).toMatch(/A +wants +b +held by B/);
    expect(scratch().guard('deadlock').stdout).toContain('No agents wait for each other in a cycle.');
  });
});

describe('two agents that wait for each other', () => {
  const closed = () => {
    const at = scratch();
    at.guard('lock', 'try', 'a', '--agent', 'A');
    at.guard('lock', 'try', 'b', '--agent', 'B');
    return at;
  };
  const startWaiting = (at: Scratch, agent: string, file: string) =>
    at.startGuard({}, 'lock', 'wait', file, '--agent', agent, '--timeout', '30s', '--json');

  it('are no cycle once the process of one wait was killed', async () => {
    const at = closed();
    const young = startWaiting(at, 'B', 'a');
    await until(() => at.log('wait').length > 0);
    young.signal('SIGKILL');
    await young.done;
    const old = startWaiting(at, 'A', 'b');
    await until(() => at.log('wait').length > 1);
    expect(JSON.parse(at.guard('deadlock', '--json').stdout)).toMatchObject({ cycles: [] });
    expect(at.log('deadlock')).toEqual([]);
    old.signal('SIGINT');
    await old.done;
  });

  it.each([
    ['closes the cycle', ['A', 'B']],
    ['waited already', ['B', 'A']],
  ])('the youngest is told at once when it %s; the other goes on and gets the file', async (_, order) => {
    const at = closed();
    const files: Readonly<Record<string, string>> = { A: 'b', B: 'a' };
    const [first = '', second = ''] = order;
    const waits = new Map([[first, startWaiting(at, first, files[first] ?? '')]]);
    await until(() => at.log('wait').length > 0);
    waits.set(second, startWaiting(at, second, files[second] ?? ''));
    const young = await waits.get('B')?.done;
    expect(young?.exit).toBe(1);
    expect(young?.took_ms).toBeLessThan(20_000);
    const told = JSON.parse(young?.stdout ?? '') as { results: object[]; notes: string[] };
    expect(told.results).toMatchObject([
      { filepath: 'a', acquired: false, holder: 'A', error: 'DEADLOCK', deadlock: { victim: 'B' } },
    ]);
    const [command] = /[^ ]*guard[^ ]* lock release .*$/.exec(told.notes[0] ?? '') ?? [];
    // Only its own `--agent` identifies the agent.
    expect(command).toMatch(/lock release .*\/b --agent B$/);
    expect(at.guard('deadlock', '--certain', '--json').json()).toMatchObject({
      cycles: [{ kind: 'deadlock', state: 'told', victim: 'B', release: ['b'] }],
    });
    expect(at.shell(command ?? '', {}).exit).toBe(0);
    const old = await waits.get('A')?.done;
    expect([old?.exit, JSON.parse(old?.stdout ?? '')]).toMatchObject([0, { all_acquired: true }]);
    expect(at.log('deadlock')).toMatchObject([{ victim: 'B', resolve: 'notify', release: ['b'] }]);
    expect(at.guard('deadlock').exit).toBe(0);
  });

  it('over reservations: the victim learns which one to release, and that ends it', async () => {
    const at = scratch();
    at.guard('reserve', 'a/**', '--reason', 'r', '--agent', 'A');
    at.guard('reserve', 'b/**', '--reason', 'r', '--agent', 'B');
    const old = startWaiting(at, 'A', 'b/1');
    await until(() => at.log('wait').length > 0);
    const young = await startWaiting(at, 'B', 'a/1').done;
    const told = JSON.parse(young.stdout) as { notes: string[] };
    const [, id = ''] = /unreserve (r-\d+) --agent B$/.exec(told.notes[0] ?? '') ?? [];
    expect(at.guard('deadlock').stdout).toContain(`B was told to release b/1 (reserved: ${id}).`);
    expect(at.guard('unreserve', id, '--agent', 'B').exit).toBe(0);
    expect(JSON.parse((await old.done).stdout)).toMatchObject({ all_acquired: true });
    expect(at.guard('deadlock').exit).toBe(0);
  });
});

async function until(check: () => boolean): Promise<void> {
  for (let n = 0; n < 200 && !check(); n++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(check()).toBe(true);
}

describe('guard deadlock --log FILE', () => {
  const foreign = (at: Scratch, ...records: readonly object[]): string =>
    at.put(`${at.home}/log.jsonl`, records.map((record) => `${JSON.stringify(record)}\n`).join(''));

  it("finds in guard's own ledger file what the ledger says, outside of any repository too", () => {
    const at = crossed();
    const file = at.put(`${at.home}/ledger.jsonl`, fs.readFileSync(ledgerOf(at)));
    const nowhere = scratch({ init: null });
    const told = nowhere.guard('deadlock', '--log', file, '--json');
    expect(told.exit).toBe(1);
    expect((told.json() as Told).cycles).toMatchObject([{ kind: 'possible', agents: ['A', 'B'] }]);
  });

  it('finds a cycle in any log of holds and waits, with paths in any of the usual fields', () => {
    const at = scratch({ init: null });
    const file = foreign(
      at,
      { type: 'hold', agent: 'A', path: 'a' },
      { type: 'hold', agent: 'B', paths: ['b'] },
      { type: 'hold', agent: 'C', filepaths: ['c'] },
      { type: 'wait', agent: 'A', filepath: 'b' },
      { type: 'wait', agent: 'B', path: 'c' },
      { type: 'wait', agent: 'C', path: 'a', holder: 'A' },
    );
    const told = at.guard('deadlock', '--log', file, '--json');
    expect([told.exit, (told.json() as Told).cycles]).toMatchObject([
      1,
      [{ kind: 'deadlock', agents: ['A', 'B', 'C'] }],
    ]);
  });

  it('finds none once the log shows a release by one of them', () => {
    const at = scratch({ init: null });
    const cycle = [
      { type: 'hold', agent: 'A', path: 'a' },
      { type: 'hold', agent: 'B', path: 'b' },
      { type: 'wait', agent: 'A', path: 'b' },
      { type: 'wait', agent: 'B', path: 'a' },
    ];
    const ends = [
      { type: 'release', agent: 'A', path: 'a' },
      { type: 'release', agent: 'A', all: true },
      { type: 'unwait', agent: 'A', path: 'b' },
      { type: 'revoke', agent: 'B', path: 'b' },
      { type: 'agent.leave', agent: 'B' },
      { type: 'hold', agent: 'A', path: 'b' },
    ];
    expect(at.guard('deadlock', '--log', foreign(at, ...cycle)).exit).toBe(1);
    for (const end of ends.slice(0, 5)) {
      expect(at.guard('deadlock', '--log', foreign(at, ...cycle, end)).exit, JSON.stringify(end)).toBe(0);
    }
  });

  it('skips torn and foreign lines, and fails in 2 where there is no file', () => {
    const at = scratch({ init: null });
    const file = at.put(
      'log.jsonl',
      '{"type":"hold","agent":"A","path":"a"}\nnot json\n[1]\n{"type":"weird"}\n{"type":"wa',
    );
    expect(at.guard('deadlock', '--log', file).exit).toBe(0);
    expect(at.guard('deadlock', '--log', 'missing.jsonl').exit).toBe(2);
  });
});

describe('the graph as text', () => {
  it('--mermaid and --dot name every edge; a cycle is red', () => {
    const at = crossed();
    const mermaid = at.guard('deadlock', '--mermaid');
    expect(mermaid.exit).toBe(1);
    expect(mermaid.stdout).toBe(
      'graph LR\n  a0["A"]\n  a1["B"]\n  a0 -.->|"b"| a1\n  a1 -.->|"a"| a0\n  linkStyle 0 stroke:red\n  linkStyle 1 stroke:red\n',
    );
    expect(at.guard('deadlock', '--dot').stdout).toBe(
      'digraph waits {\n  "A" -> "B" [label="b",style=dashed,color=red];\n  "B" -> "A" [label="a",style=dashed,color=red];\n}\n',
    );
  });

  it('quotes names that would be syntax', () => {
    const at = scratch({ init: null });
    const name = `x"]; evil --> y["\n%%{init}%% 🦀 \u001b[2J`;
    const file = at.put(
      'log.jsonl',
      [
        { type: 'hold', agent: name, path: 'a' },
        { type: 'wait', agent: 'B', path: 'a' },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    );
    const mermaid = at.guard('deadlock', '--log', file, '--mermaid').stdout;
    expect(mermaid.trimEnd().split('\n')).toHaveLength(4);
    expect(mermaid).toContain('#129408;');
    expect(mermaid).not.toContain('evil -->');
    const dot = at.guard('deadlock', '--log', file, '--dot').stdout;
    expect(dot.trimEnd().split('\n')).toHaveLength(3);
    // eslint-disable-next-line no-control-regex -- these must not reach a terminal
    expect(mermaid + dot).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('one form at a time', () => {
    const at = scratch({ init: null });
    expect(at.guard('deadlock', '--json', '--dot').exit).toBe(64);
    expect(at.guard('deadlock', '--mermaid', '--dot').exit).toBe(64);
  });
});
