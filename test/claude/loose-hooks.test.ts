/** An agent's clean, stash or reset must not remove guard's hooks before they are committed. */
import { describe, expect, it } from 'vitest';
import { type Answer, oneAgent } from './driver.ts';

const GO = ['git clean -fd', 'git stash -u', 'git clean -fdx .claude', 'git add -A && git reset --hard'];

function repository(commits: boolean) {
  const { at, agent } = oneAgent({ files: { 'a.txt': 'one\n' }, fresh: true });
  at.git('config', 'user.name', 'a');
  at.git('config', 'user.email', 'a@example.com');
  at.git('add', commits ? '-A' : 'a.txt');
  at.git('commit', '-qm', '1');
  at.put('b.txt', 'new\n');
  const pre = (command: string): Answer => agent.pre(agent.call('Bash', { command }));
  return { at, pre };
}

describe('an act of git that takes what is in no commit', () => {
  it('and so is the reset of what was staged by an earlier command', () => {
    const { at, pre } = repository(false);
    at.git('add', '-A');
    expect(pre('git reset --hard').denial).toMatchObject({ error_type: 'PROTECTED_PATH' });
    expect(pre('git reset --hard HEAD').denial).toMatchObject({ error_type: 'PROTECTED_PATH' });
    expect(pre('git reset').exit).toBe(0);
  });

  it.each(GO)('%s is refused while guard is not committed', (command) => {
    const { pre } = repository(false);
    const { denial } = pre(command);
    expect(denial).toMatchObject({ error_type: 'PROTECTED_PATH' });
    expect((denial?.details.next ?? []).at(-1)).toMatch(/^git add -- \.claude\/guard-hook\.cjs /);
  });

  it('passes when the step that the refusal names was taken', () => {
    const { at, pre } = repository(false);
    const [step = ''] = (pre('git clean -fd').denial?.details.next ?? []).slice(-1);
    expect(at.shell(step, {}).exit).toBe(0);
    expect(pre('git clean -fd').exit).toBe(0);
  });

  it.each([...GO, 'git checkout -- .', 'git reset --hard'])(
    '%s passes where guard is committed',
    (command) => {
      expect(repository(true).pre(command).exit).toBe(0);
    },
  );

  it.each(['git clean -nd', 'git stash', 'git checkout -- a.txt', 'git status', 'git clean -f b.txt'])(
    '%s leaves them alone and passes',
    (command) => {
      expect(repository(false).pre(command).exit).toBe(0);
    },
  );
});
