/** The pictures in the documents show guard's real output: a denial by its hook, and the rows of its status. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createColors } from 'picocolors';
import { describe, expect, it } from 'vitest';
import { terminalSvg } from '../../scripts/terminal-svg.mjs';
import { boardOf } from '../../src/cli/board/board.ts';
import { boardLines } from '../../src/cli/board/layout.ts';
import type { Status } from '../../src/operations/status.ts';
import { oneAgent } from '../claude/driver.ts';
import { ago, agent, lease, NOW_MS, QUIET, wait } from '../cli/board/told.ts';
import { PACKAGE } from '../install/scratch.ts';

/** The same content as in the demo, and therefore the same digests as in the README. */
const BEFORE = 'export const gross = (net) => net * 1.19;\nexport const shipping = 5;\n';
const CHANGED = BEFORE.replace('shipping = 5', 'shipping = 7');

/** Three agents at work on a shop, one of them in another's way. */
const SHOP: Status = {
  ...QUIET,
  fenced: true,
  agents: [
    agent('ann', { writing: ['src/cart/price.ts'] }),
    agent('bob', { last_active_seconds: 41, denials: 1, at_work: [{ tool: 'Bash', since: ago(41) }] }),
    agent('cy', { last_active_seconds: 12 }),
  ],
  leases: [
    ...Array.from({ length: 6 }, (_, nth) => lease(`src/cart/part-${nth}.ts`, 'ann', 240)),
    lease('docs/pricing.md', 'cy', 90),
  ],
  waits: [wait('bob', 'ann', 'src/cart/part-3.ts', 64)],
  denials: [
    {
      ...{ at: ago(95), lsn: 9, agent: 'claude-bob', tool: 'Edit', paths: ['src/cart/part-3.ts'] },
      ...{ error_type: 'LOCKED_BY_OTHER', message: 'It is locked by claude-ann.' },
    },
  ],
};

interface Row {
  readonly text: string;
  readonly ink?: 'heading' | 'bad' | 'good' | 'dim' | 'plain';
}

const inkOf = (line: string): Row => ({
  text: line,
  ink:
    /^\S.*$/.test(line) && !line.includes('  ')
      ? 'heading'
      : /^ {2}(?:denied|waits|deadlock) /.test(line)
        ? 'bad'
        : 'plain',
});

function picture(name: string, svg: string): void {
  const file = join(PACKAGE, 'docs/images', `${name}.svg`);
  if (process.env['GUARD_UPDATE_DOCS'] !== undefined) writeFileSync(file, svg);
  expect(readFileSync(file, 'utf8')).toBe(svg);
}

describe('the pictures in the documents', () => {
  it('are both at the top of the README', () => {
    const [first = ''] = readFileSync(join(PACKAGE, 'README.md'), 'utf8').split('\n## ');
    for (const name of ['denial', 'status']) expect(first).toContain(`(docs/images/${name}.svg)`);
  });

  it('show the real output of guard status', () => {
    const lines = boardLines(boardOf(SHOP, NOW_MS, true), {
      ...{ width: 92, most: 50, how: '' },
      color: createColors(false),
    });
    const rows: readonly Row[] = [
      { text: '$ guard status', ink: 'good' },
      ...lines.map(({ text }) => inkOf(text)),
    ];
    const says = 'guard status: bob waits for ann, and who holds which files';
    picture('status', terminalSvg({ title: 'guard status', says, rows, columns: 92 }));
  });

  it('show a denial as the agent reads it, and so does the README', () => {
    const { at, agent: ada } = oneAgent({ files: { 'src/price.mjs': BEFORE } });
    ada.read('src/price.mjs');
    at.put('src/price.mjs', CHANGED);
    const { pre } = ada.edit('src/price.mjs', 'net * 1.19', 'net * (1 + vat)');
    const said = JSON.stringify(pre.denial, null, 2)
      .replaceAll(at.root, '/repo')
      .replaceAll(/node \S+guard\.cjs/g, 'guard');
    const { details, ...denial } = JSON.parse(said) as { details: Readonly<Record<string, unknown>> };
    const [, shown = '{}'] =
      /```json\n([^]*?)\n```/.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8')) ?? [];
    const { details: told, ...page } = JSON.parse(shown) as { details: Readonly<Record<string, unknown>> };
    expect(page).toEqual(denial);
    const { error_type, message, recovery_hint } = page as Readonly<Record<string, string>>;
    expect(details).toMatchObject(told);
    const lines = [
      'Edit src/price.mjs',
      ...JSON.stringify({ error_type, message, details: told, recovery_hint }, null, 2).split('\n'),
    ];
    const rows = lines.map((text, nth): Row => {
      const cut = text.length > 100 ? `${text.slice(0, 99)}…` : text;
      return { text: cut, ink: nth === 0 ? 'good' : text.includes('"error_type"') ? 'bad' : 'plain' };
    });
    const says = 'An edit is denied: STALE_FILE, with both digests and the next steps';
    picture('denial', terminalSvg({ title: 'what the agent reads', says, rows, columns: 100 }));
  });
});
