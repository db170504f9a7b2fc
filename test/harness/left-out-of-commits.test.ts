/** Task files that were committed once: guard writes them, and no agent's commit contains that. */
import { describe, expect, it } from 'vitest';
import { committed } from './committed.ts';

const TASK = '.agents/tasks/old';

/** A repository whose task was committed, as by a guard that did not ignore them yet; `ignore` is what is there now. */
function withOldTask(ignore?: string) {
  const at = committed();
  at.at.put(
    `${TASK}/task.json`,
    JSON.stringify({ slug: 'old', created: '2026-01-01T00:00:00Z', description: 'Old.' }),
  );
  at.at.put(`${TASK}/context.md`, '# Old\n');
  if (ignore !== undefined) at.at.put('.agents/tasks/.gitignore', ignore);
  at.at.git('add', '-f', TASK);
  at.at.git('commit', '-qm', 'Tasks');
  const id = at.draft('dev', ['sh echo n > n; git add -A; git commit -qam N', 'result x'], '--task', 'old');
  expect(at.await(id).status).toBe('completed');
  expect(at.at.read(`${TASK}/context.md`)).toContain(id);
  const files = at.at.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n');
  const { results } = at.guard('doctor', '--json').json() as { results: { id: string }[] };
  return { files, found: results.filter((one) => one.id === 'tasks') };
}

describe('task files that git tracks', () => {
  it('are in no commit of an agent, and doctor names them', () => {
    const { files, found } = withOldTask();
    expect(files).toEqual(['n']);
    expect(found).toMatchObject([
      {
        status: 'warn',
        facts: { files: [`${TASK}/context.md`, `${TASK}/task.json`] },
        hint: expect.stringContaining('git rm') as string,
      },
    ]);
  });

  it('are committed where the repository says so', () => {
    const { files, found } = withOldTask('');
    expect(files).toContain(`${TASK}/context.md`);
    expect(found).toMatchObject([{ status: 'ok' }]);
  });
});
