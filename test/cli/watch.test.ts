/** `guard watch`: one line for each new matter that needs a person. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../claude/driver.ts';

/** Long enough for a busy machine. */
const PATIENTLY = { timeout: 30_000, interval: 20 };

function closeCircle(at: Scratch): void {
  at.guard('lock', 'try', 'b', '--agent', 'A');
  at.guard('lock', 'try', 'a', '--agent', 'B');
}

describe('guard watch', () => {
  it('reports once that a cycle of waits has closed, and calls the user’s program', async () => {
    const at = scratch();
    const script =
      'printf %s "$GUARD_ATTENTION_KIND" > "$HOME/called.new"; mv "$HOME/called.new" "$HOME/called"';
    at.put(`${at.home}/.config/guard/config.json`, JSON.stringify({ on_attention: ['sh', '-c', script] }));
    at.guard('lock', 'try', 'a', '--agent', 'A');
    at.guard('lock', 'try', 'b', '--agent', 'B');
    const watching = at.startGuard({}, 'watch', '--notify', '--json');
    closeCircle(at);
    const said = (): unknown[] =>
      watching
        .told()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown);
    await expect.poll(said, PATIENTLY).toHaveLength(1);
    expect(said()[0]).toMatchObject({
      kind: 'deadlock',
      detail: expect.arrayContaining([expect.stringContaining('waits for b, held by')]) as string[],
    });
    await expect.poll(() => existsSync(join(at.home, 'called')), PATIENTLY).toBe(true);
    expect(readFileSync(join(at.home, 'called'), 'utf8')).toBe('deadlock');
    // Further events are not news.
    at.guard('lock', 'try', 'c', '--agent', 'C');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(said()).toHaveLength(1);
    watching.signal('SIGINT');
    expect((await watching.done).exit).toBe(0);
  });

  it('is for people: a program named by a repository is refused', () => {
    const at = scratch();
    at.put('guard.config.json', JSON.stringify({ on_attention: ['sh'] }));
    expect(at.guard('watch', '--notify', '--json').json()).toMatchObject({
      error: { code: 'GUARD_ERR_CONFIG', facts: { file: join(at.root, 'guard.config.json'), line: 1 } },
    });
  });
});
