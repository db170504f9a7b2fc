/** Worktree setup, with the real client: requested by a role, approved by a person; and two agents edit one file. */
import { readFileSync } from 'node:fs';

import { expect } from 'vitest';

import { makeGate } from './client/gate.ts';
import { type Answer, bash, edit, read, say, type Seen } from './client/scenario.ts';
import { situation } from './client/stage.ts';
import { type Ended, yard } from './harness.ts';

const ROLE = {
  ...{
    name: 'own',
    category: 'worker',
    prompt: 'You work apart.',
    tools: ['Read', 'Edit', 'Bash(pwd)', 'Bash(cat:*)'],
  },
  worktree: { setup: 'cat .env > deps && echo installed >> deps', include: ['.env'] },
};
const report = (summary: string): Answer => say(`Done.\n\`\`\`json\n{"summary":"${summary}"}\n\`\`\``);

situation(
  'two agents in worktrees that were set up as a person approved change one file at once: both are told',
  async ({ stage }) => {
    const changed = { first: makeGate(), second: makeGate() };
    const dirs: Record<string, string> = {};
    /** Changes its line once the other agent is in place, and looks around once more. */
    const works =
      (name: 'first' | 'second', [from, to]: readonly [string, string], before: () => Promise<void>) =>
      async ({ step, results }: Seen): Promise<Answer> => {
        if (step === 0) return bash('pwd');
        if (step === 1) dirs[name] = results[0]?.text.trim() ?? '';
        const file = `${dirs[name] ?? ''}/a.txt`;
        if (step === 3) await before();
        if (step === 4) changed[name].open();
        // The other agent is notified at its next step after that.
        if (step === 4 && name === 'first') await changed.second.opened;
        return [bash('cat deps'), read(file), edit(file, from, to), bash('pwd')][step - 1] ?? report(name);
      };
    const at = await yard(
      stage,
      {
        'a.txt': 'one\ntwo\nthree\n',
        '.gitignore': '.env\ndeps\n',
        '.agents/roles/own.json': JSON.stringify(ROLE),
      },
      {
        unset: [bash('cat deps'), report('there is nothing')],
        first: works('first', ['two', 'TWO'], () => Promise.resolve()),
        second: works('second', ['two', 'II'], () => changed.first.opened),
      },
    );
    at.scratch.write('.env', 'SECRET=1\n');
    // Not approved yet: the agent starts without the setup, and is told so.
    const unset = await at.await(await at.draft('own', '[[unset]] Look.'));
    expect(unset).toMatchObject({ status: 'completed', result: { summary: 'there is nothing' } });
    expect(at.api.at('unset', 1).results[0]?.text).toContain('No such file');
    expect(JSON.stringify(at.api.at('unset', 0).request.messages)).toContain('guard role approve own');

    const shown = (await at.json('role', 'approve', 'own')) as { digest: string };
    expect((await at.guard('role', 'approve', 'own', '--digest', shown.digest)).code).toBe(0);
    const ids = await Promise.all(
      ['first', 'second'].map((name) => at.draft('own', `[[${name}]] Change it.`)),
    );
    const ends: readonly Ended[] = await Promise.all(ids.map((id) => at.await(id)));
    for (const [nth, name] of ['first', 'second'].entries()) {
      expect(ends[nth]).toMatchObject({
        ...{ status: 'completed', result: { summary: name } },
        // The files that the setup left there do not count as anyone's work.
        worktree: { changed: ['a.txt'], kept: true },
      });
      expect(at.api.at(name, 2).results[0]?.text).toContain('SECRET=1\ninstalled');
    }
    expect(readFileSync(`${dirs['second'] ?? ''}/a.txt`, 'utf8')).toBe('one\nII\nthree\n');
    // One agent is told at its edit, the other at its next step.
    const heard = (name: string): string =>
      at.api.seen
        .filter(({ marker }) => marker === name)
        .flatMap(({ texts }) => texts)
        .join('\n');
    expect(heard('second')).toMatch(/changed "a\.txt" in worktree guard-\S+ .*: line 2 there\. Yours meet/);
    expect(heard('first')).toMatch(
      /writes \(urgent, .* edits \\"a\.txt\\" in worktree guard-\S+ .* where you changed it in yours: that will conflict/,
    );
  },
);
