/** Waiting in Bash is not a stall, with the real client: in the background, where no tool limit excuses the silence. */
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { logOf } from './client/guarded.ts';
import { type Answer, say, type Seen, use } from './client/scenario.ts';
import { situationWith } from './client/stage.ts';
import { until } from './client/until.ts';
import { guardProgram, yard } from './harness.ts';

const STALL_MS = 5_000;

const report = (summary: string): Answer => say(`Done.\n\`\`\`json\n{"summary":"${summary}"}\n\`\`\``);
const inBackground = (command: string): Answer =>
  use('Bash', { command, description: 'Wait', run_in_background: true });

situationWith('background_tasks')(
  'agents that wait in Bash for a lock, and for another agent, are silent for longer than they may, and go on',
  async ({ stage }) => {
    const [works, done] = [makeGate(), makeGate()];
    let worker = '';
    /** Runs a command that waits, then does nothing until its client wakes it. */
    const waits =
      (line: () => string, summary: string) =>
      ({ step }: Seen): Answer =>
        step === 0 ? inBackground(line()) : step === 1 ? say('I wait for it.') : report(summary);
    // As the hooks' texts and the permission rules spell it.
    const guard = `node ${guardProgram()}`;
    const role = (name: string, category: string): Record<string, string> => ({
      [`.agents/roles/${name}.json`]: JSON.stringify({
        ...{
          name,
          category,
          prompt: 'You wait.',
          tools: ['Bash'],
          limits: { stall: `${String(STALL_MS / 1000)}s` },
        },
      }),
    });
    const at = await yard(
      stage,
      { 'a.txt': 'one\n', ...role('waiter', 'worker'), ...role('boss', 'conversational') },
      {
        lock: waits(() => `${guard} lock wait a.txt --timeout 120s`, 'had the lock'),
        agent: waits(() => `${guard} agent await ${worker}`, 'had the agent'),
        idle: [inBackground('sleep 100'), say('I wait for it.')],
        dev: [
          async () => {
            works.open();
            await done.opened;
            return report('worked');
          },
        ],
      },
    );
    at.scratch.guard('lock', 'try', 'a.txt', '--agent', 'me');
    worker = await at.draft('dev', '[[dev]] Work.');
    await works.opened;
    const [lock, agent, idle] = await Promise.all([
      at.draft('waiter', '[[lock]] Go.'),
      at.draft('boss', '[[agent]] Go.'),
      at.draft('waiter', '[[idle]] Go.'),
    ]);
    await until('both wait', () => at.api.seen.filter(({ step }) => step === 1).length >= 3);
    // The same silence with nothing in the ledger to explain it: guard does not wait for this client.
    const told = await at.await(idle);
    expect(told).toMatchObject({ status: 'timeout', message: 'I wait for it.' });
    expect(told).not.toHaveProperty('result');
    await sleep(STALL_MS);
    expect(logOf(at.scratch, '--type', 'exit')).toHaveLength(1);
    at.scratch.guard('lock', 'release', 'a.txt', '--agent', 'me');
    done.open();
    expect(await at.await(lock)).toMatchObject({ status: 'completed', result: { summary: 'had the lock' } });
    expect(await at.await(agent)).toMatchObject({
      status: 'completed',
      result: { summary: 'had the agent' },
    });
  },
);
