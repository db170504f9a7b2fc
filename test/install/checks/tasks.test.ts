/** Task files that were committed before git ignored them. */
import { describe, expect, it } from 'vitest';
import { committed } from '../../harness/committed.ts';

const TASK = '.agents/tasks/old';

/** A repository whose task was committed, as by a guard that did not ignore them yet; `ignore` is what is there now. */
function withOldTask(ignore: string) {
  const at = committed();
  at.at.put(`${TASK}/task.json`, '{}');
  at.at.put(`${TASK}/context.md`, '# Old\n');
  at.at.put('.agents/tasks/.gitignore', ignore);
  at.at.git('add', '-f', TASK);
  at.at.git('commit', '-qm', 'Tasks');
  const found = () => {
    const { results } = at.guard('doctor', '--json').json() as { results: { id: string; hint?: string }[] };
    return results.filter((one) => one.id === 'tasks');
  };
  return { at, found };
}

describe('task files that git tracks', () => {
  it('are named, and the command in the hint takes them out of git', () => {
    const { at, found } = withOldTask('*\n');
    const [first] = found();
    expect(first).toMatchObject({
      status: 'warn',
      facts: { files: [`${TASK}/context.md`, `${TASK}/task.json`] },
    });
    const [, args = ''] = /Run: git (.*?), then/.exec(first?.hint ?? '') ?? [];
    at.at.git(...args.split(' '));
    at.at.git('commit', '-qm', 'Leave them out');
    expect(at.at.git('ls-files', TASK)).toBe('');
    expect(at.at.read(`${TASK}/context.md`)).toBe('# Old\n');
    expect(found()).toMatchObject([{ status: 'ok' }]);
  });

  it('are committed where the repository says so', () => {
    expect(withOldTask('').found()).toMatchObject([{ status: 'ok' }]);
  });
});
