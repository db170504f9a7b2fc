/** Who is notified when an agent ends, with the real client: the session that drafted it, and a program of the user. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { userSettings } from './client/guarded.ts';
import { type Answer, bash, read, say, use } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { until } from './client/until.ts';
import { yard } from './harness.ts';

const report = (summary: string, questions: readonly string[]): Answer =>
  say(`Done.\n\`\`\`json\n${JSON.stringify({ summary, changes: [], issues: [], questions })}\n\`\`\``);
const draft = (prompt: string): object => ({ role: 'dev', prompt });

situation(
  'a person’s session and a drafted lead, neither of which waits, hear of the end at their next step; so does `on_end`',
  async ({ stage }) => {
    const over = { mine: makeGate(), its: makeGate() };
    const at = await yard(
      stage,
      { 'a.txt': 'one\n' },
      {
        person: [
          use('mcp__guard-harness__draft_agent', draft('[[mine]] Go.')),
          async () => {
            await over.mine.opened;
            return read(at.scratch.path('a.txt'));
          },
          say('I know.'),
        ],
        lead: [
          use('mcp__guard__draft_agent', draft('[[its]] Go.')),
          async () => {
            await over.its.opened;
            return read(at.scratch.path('a.txt'));
          },
          report('led', []),
        ],
        mine: [report('half', ['Which licence?'])],
        its: [bash('npm install left-pad'), report('whole', [])],
      },
    );
    userSettings(at.scratch, { permissions: { allow: ['Read', 'mcp__guard-harness'] } });
    const called = join(at.scratch.home, 'called');
    mkdirSync(join(at.scratch.home, '.config/guard'), { recursive: true });
    writeFileSync(
      join(at.scratch.home, '.config/guard/config.json'),
      JSON.stringify({
        on_end: [
          'sh',
          '-c',
          `env | grep ^GUARD_ENDED_ > ${called}.$$.new; mv ${called}.$$.new ${called}.$GUARD_ENDED_TASK`,
        ],
      }),
    );
    at.session('[[person]] Draft one.');
    const lead = await at.draft('lead', '[[lead]] Draft one.');
    for (const [name, gate] of Object.entries(over)) {
      await until(`${name} is over`, () => existsSync(`${called}.${name}-go`));
      gate.open();
    }
    expect(await at.await(lead)).toMatchObject({ status: 'completed', result: { summary: 'led' } });
    // This program is the last to write into the home, which is removed with the test.
    await until('its end is told, too', () => existsSync(`${called}.lead-draft-one`));
    await until('the person is told', () =>
      at.api.seen.some(({ marker, step }) => marker === 'person' && step === 2),
    );
    for (const [drafter, words] of [
      ['person', [`(dev) is completed. It asks 1 question. half`]],
      ['lead', ['(dev) is completed. It was not allowed 1 thing. whole']],
    ] as const) {
      const heard = at.api.at(drafter, 2).texts.join('\n');
      for (const word of words) expect(heard.split(word)).toHaveLength(2);
    }
    const variables = Object.fromEntries(
      ['mine', 'its'].map((name) => [name, readFileSync(`${called}.${name}-go`, 'utf8')]),
    );
    expect(variables['mine']).toContain('GUARD_ENDED_STATUS=completed\n');
    expect(variables['mine']).toContain('GUARD_ENDED_SUMMARY=half\n');
    expect(variables['mine']).toContain('Which licence?');
    expect(variables['its']).toContain('GUARD_ENDED_ROLE=dev\n');
    expect(variables['its']).toContain('Bash(npm install:*)');
  },
);
