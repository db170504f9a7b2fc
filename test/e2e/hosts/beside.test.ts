/** Claude Code and another client at work in one checkout at once, each with its own hooks. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { failedHooks, guarded } from '../client/guarded.ts';
import { edit, read, say, use } from '../client/scenario.ts';
import { situationIf } from '../client/stage.ts';
import { until } from '../client/until.ts';
import { CLIENTS } from './clients.ts';
import { installHost } from './install-host.ts';
import { LIMIT_MS, startHost } from './start-host.ts';

const { codex } = CLIENTS;
const installed = codex === undefined ? { missing: 'codex' } : installHost('codex', codex);
const command = 'command' in installed ? installed.command : [];

/** A command that announces its start, and ends when it is told to, or when its directory is gone. */
const heldUp = (name: string): string =>
  `touch ${name}.started; while [ -e ${name}.started ] && [ ! -e ${name}.go ]; do sleep 0.05; done`;

situationIf(command.length > 0, 'Codex')(
  'Claude Code and Codex in one checkout leave each other the files they hold',
  { timeout: 2 * LIMIT_MS },
  async ({ stage }) => {
    if (codex === undefined) return;
    const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'alpha\nbeta\n' };
    const scratch = guarded(stage, files, { preset: 'auto', allow: ['Bash'] });
    expect(scratch.guard('init', '--host', 'codex', '--preset', 'auto').code).toBe(0);
    const [a, b] = [scratch.path('a.txt'), scratch.path('b.txt')];
    const refusals: string[] = [];
    const api = await stage.api({
      claude: [
        read(a),
        edit(a, 'one', 'CLAUDE'),
        use('Bash', { command: heldUp('claude'), timeout: LIMIT_MS }),
        read(b),
        edit(b, 'beta', 'CLAUDE'),
        ({ results }) => {
          refusals.push(...results.map(({ text }) => text));
          return say('Done.');
        },
      ],
    });

    const claude = stage.start(api, scratch, { prompt: '[[claude]] Edit both.', limit_ms: LIMIT_MS });
    await until('Claude Code holds a.txt', () => existsSync(scratch.path('claude.started')), LIMIT_MS);
    const beside = startHost({ at: { root: scratch.repo, home: scratch.home }, client: codex, command }, [
      { says: [codex.read(a)] },
      { says: [codex.edit(a, 'two', 'CODEX')] },
      { says: [codex.read(b)] },
      { says: [codex.edit(b, 'alpha', 'CODEX')] },
      { says: [codex.shell(heldUp('codex'))] },
    ]);
    await until('Codex holds b.txt', () => existsSync(scratch.path('codex.started')), LIMIT_MS);

    const { leases } = JSON.parse(scratch.guard('status', '--json').stdout) as {
      leases: readonly { readonly path: string; readonly holder: string }[];
    };
    scratch.write('claude.go', '');
    const run = await claude.done;
    scratch.write('codex.go', '');
    const heard = await beside;

    const holders = new Map(leases.map(({ path, holder }) => [path, holder]));
    expect(holders.get('a.txt')).toBe(`claude-${run.session}`);
    expect(holders.get('b.txt')).toMatch(/^codex-/);
    expect(scratch.read('a.txt')).toBe('CLAUDE\ntwo\n');
    expect(scratch.read('b.txt')).toBe('CODEX\nbeta\n');
    expect(heard).toContain('LOCKED_BY_OTHER');
    expect(heard).toContain(`claude-${run.session}`);
    expect(refusals.join('\n')).toContain('LOCKED_BY_OTHER');
    expect(refusals.join('\n')).toContain(holders.get('b.txt'));
    expect(scratch.guard('verify').code).toBe(0);
    expect(failedHooks(run)).toEqual([]);
  },
);
