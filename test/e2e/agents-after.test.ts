/** After agents have ended, with the real client: commits, the list at any width, sessions at a terminal, cleanup. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';

import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { type Answer, bash, say, use } from './client/scenario.ts';
import { situationIf, type Stage } from './client/stage.ts';
import { until } from './client/until.ts';
import { guardProgram, yard, type Yard } from './harness.ts';

const SCRIPT = '/usr/bin/script';
const report = (summary: string, ...questions: readonly string[]): Answer =>
  say(`Done.\n\`\`\`json\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\n\`\`\``);

/** Runs guard at its own terminal. */
function atTerminal(stage: Stage, { scratch }: Yard, ...args: readonly string[]) {
  const command = [process.execPath, guardProgram(), ...args].map((word) => `'${word}'`).join(' ');
  const run = spawn(SCRIPT, ['-qefc', `stty rows 40 cols 120; exec ${command}`, '/dev/null'], {
    cwd: scratch.repo,
    env: { ...scratch.env, TERM: 'xterm' },
  });
  let seen = '';
  run.stdout.on('data', (text: Buffer) => (seen += text.toString()));
  const done = new Promise<number | null>((resolve) => void run.on('close', resolve));
  stage.after(async () => {
    run.kill('SIGKILL');
    await done;
  });
  return { seen: () => stripVTControlCharacters(seen), type: (keys: string) => run.stdin.write(keys), done };
}

situationIf(process.platform === 'linux' && existsSync(SCRIPT), 'script(1), for a terminal')(
  'two agents are over and one is at work: commits, list, attach and prune have what is true',
  async ({ stage }) => {
    const [works, done] = [makeGate(), makeGate()];
    const at = await yard(
      stage,
      {
        '.agents/roles/committer.json': JSON.stringify({
          ...{ name: 'committer', category: 'worker', prompt: 'You commit.' },
          tools: ['Write', 'Bash(git add:*)', 'Bash(git commit:*)'],
        }),
      },
      {
        commits: [
          use('mcp__guard__lock_try', { filepaths: ['new.txt'] }),
          () => use('Write', { file_path: at.scratch.path('new.txt'), content: 'new\n' }),
          bash('git add -A && git commit -qm "All of it"'),
          report(
            'a report with words enough to fill a row of a hundred columns and of a hundred and sixty, too, and more',
          ),
        ],
        asks: [
          report(
            'half',
            'Which of the many licences that there are in this world should the new file have at its top?',
          ),
        ],
        held: [
          async () => {
            works.open();
            await done.opened;
            return report('held');
          },
        ],
      },
    );
    const held = await at.draft('dev', '[[held]] Wait.');
    await works.opened;
    const first = await at.draft('committer', '[[commits]] Commit.');
    const second = await at.draft('dev', '[[asks]] Ask.');
    expect(await at.await(first)).toMatchObject({ status: 'completed' });
    expect(await at.await(second)).toMatchObject({ status: 'completed', needs: { denials: [] } });

    // guard's own task files, and those of an agent at work, are in no commit.
    const committed = at.scratch.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n');
    expect(committed).toContain('new.txt');
    expect(committed.filter((file) => file.startsWith('.agents/tasks'))).toEqual([]);
    expect(existsSync(at.scratch.path('.agents/tasks'))).toBe(true);

    for (const columns of [80, 100, 160]) {
      const { stdout } = await at.run(
        'env',
        `COLUMNS=${String(columns)}`,
        'LINES=40',
        process.execPath,
        guardProgram(),
        'agent',
        'list',
        '--since',
        '12h',
      );
      const lines = stdout.trimEnd().split('\n');
      expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(columns);
      // A wider terminal shows more of each text, not more lines.
      expect(lines.length).toBeLessThan(10);
      expect(lines.at(-1)).toMatch(/^2 completed, 1 running; 1 needs you;/);
      expect(lines[1]).toMatch(/^! completed /);
      if (columns === 160) expect(stdout).toContain('should the new file have at its top?');
    }

    // A terminal's own width counts, without COLUMNS.
    const wide = atTerminal(stage, at, 'agent', 'list', '--since', '12h');
    await wide.done;
    const widest = Math.max(
      ...wide
        .seen()
        .split(/\r?\n/)
        .map((line) => Array.from(line).length),
    );
    expect(widest, wide.seen()).toBeGreaterThan(80);
    expect(widest, wide.seen()).toBeLessThanOrEqual(120);

    // Refused without a terminal.
    expect((await at.guard('agent', 'attach', second)).stderr).toContain('terminal');
    const refused = atTerminal(stage, at, 'agent', 'attach', held);
    expect(await refused.done).toBe(1);
    expect(refused.seen()).toContain('is at work, and its session belongs to its own client');
    // As a user who has approved this key before.
    const known = join(at.scratch.home, '.claude.json');
    const before = JSON.parse(readFileSync(known, 'utf8')) as object;
    const key = { approved: [at.scratch.env['ANTHROPIC_API_KEY']], rejected: [] };
    writeFileSync(known, JSON.stringify({ ...before, customApiKeyResponses: key }));
    const attached = atTerminal(stage, at, 'agent', 'attach', second);
    await until('its session is on the screen', () =>
      attached.seen().replace(/\s+/g, '').includes('Whichofthemanylicences'),
    );
    attached.type('\u0003');
    await sleep(200);
    attached.type('\u0003');
    expect(await attached.done).toBe(0);

    // Only agents that have ended can be pruned.
    const prunable = async (...more: readonly string[]) =>
      (
        (await at.json('agent', 'prune', '--older', '1s', ...more)) as {
          logs: readonly { agentId: string }[];
        }
      ).logs
        .map(({ agentId }) => agentId)
        .toSorted();
    const log = (id: string): string => at.scratch.path(`.git/guard/agents/${id.slice('claude-'.length)}`);
    expect(await prunable()).toEqual([first, second].toSorted());
    expect(existsSync(log(first))).toBe(true);
    expect(await prunable('--apply')).toEqual([first, second].toSorted());
    expect([first, second, held].map((id) => existsSync(log(id)))).toEqual([false, false, true]);
    expect(await prunable()).toEqual([]);
    done.open();
    expect(await at.await(held)).toMatchObject({ status: 'completed', result: { summary: 'held' } });
  },
);
