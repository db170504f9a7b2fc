/** Two clients at work in one checkout at once, each with its own hooks. */
import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { failedHooks, guarded } from '../client/guarded.ts';
import { edit, read, say, use } from '../client/scenario.ts';
import { situationIf } from '../client/stage.ts';
import { until } from '../client/until.ts';
import { CLIENTS } from './clients.ts';
import { scratch } from '../../claude/driver.ts';
import { installHost } from './install-host.ts';
import { LIMIT_MS, startHost } from './start-host.ts';

const { codex, gemini } = CLIENTS;

/** Empty if the client cannot be installed. */
function commandOf(name: string): readonly string[] {
  const client = CLIENTS[name];
  const installed = client === undefined ? { missing: name } : installHost(name, client);
  return 'command' in installed ? installed.command : [];
}

const command = commandOf('codex');
const ofGemini = commandOf('gemini');

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

situationIf(ofGemini.length > 0 && command.length > 0, 'Gemini CLI and Codex')(
  'Gemini CLI and Codex in one checkout leave each other the files they hold',
  { timeout: 2 * LIMIT_MS },
  async () => {
    if (gemini === undefined || codex === undefined) return;
    const at = scratch({ files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'alpha\nbeta\n' }, init: null });
    for (const host of ['gemini', 'codex'])
      expect(at.guard('init', '--host', host, '--preset', 'auto').exit).toBe(0);
    const [a, b] = [at.path('a.txt'), at.path('b.txt')];
    const started = (name: string): Promise<void> =>
      until(`${name} holds its file`, () => existsSync(at.path(`${name}.started`)), LIMIT_MS);

    const first = startHost({ at, client: gemini, command: ofGemini }, [
      { says: [gemini.read(a)] },
      { says: [gemini.edit(a, 'one', 'GEMINI')] },
      { says: [gemini.shell(heldUp('gemini'))] },
      { says: [gemini.read(b)] },
      { says: [gemini.edit(b, 'beta', 'GEMINI')] },
    ]);
    await started('gemini');
    const second = startHost({ at, client: codex, command }, [
      { says: [codex.read(a)] },
      { says: [codex.edit(a, 'two', 'CODEX')] },
      { says: [codex.read(b)] },
      { says: [codex.edit(b, 'alpha', 'CODEX')] },
      { says: [codex.shell(heldUp('codex'))] },
    ]);
    await started('codex');
    at.put('gemini.go', '');
    const heardByGemini = await first;
    at.put('codex.go', '');
    const heardByCodex = await second;

    expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['GEMINI\ntwo\n', 'CODEX\nbeta\n']);
    const writers = at.log('write').map(({ agent }) => String(agent));
    const [ofFirst, ofSecond] = ['gemini-', 'codex-'].map((id) => writers.find((one) => one.startsWith(id)));
    expect(heardByCodex).toContain('LOCKED_BY_OTHER');
    expect(heardByCodex).toContain(ofFirst);
    expect(heardByGemini).toContain('LOCKED_BY_OTHER');
    expect(heardByGemini).toContain(ofSecond);
    expect(at.guard('verify').exit).toBe(0);
  },
);
