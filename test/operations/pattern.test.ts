/** File names that look like patterns mean the file, if it exists on disk. */
import { describe, expect, it } from 'vitest';
import { scratch, working } from '../claude/driver.ts';

describe('a file whose name looks like a pattern', () => {
  const PAGE = 'app/[id]/{a,b}.tsx';

  it('can be asked for with the path that a denial names', () => {
    const at = scratch({ files: { [PAGE]: 'one\n' } });
    const [holder, other] = [working(at), working(at)];
    holder.lock(PAGE);
    other.read(PAGE);
    expect(other.edit(PAGE, 'one', 'two').pre.denial?.error_type).toBe('LOCKED_BY_OTHER');
    const ask = ['negotiate', 'request', at.path(PAGE), '--of', holder.name, '--reason', 'r', '--json'];
    const { thread_id } = other.guard(...ask).json() as { thread_id: string };
    const answer = ['negotiate', 'respond', thread_id, '--requester', other.name, '--file', at.path(PAGE)];
    expect(holder.guard(...answer, '--release', '--json').json()).toMatchObject({ released_files: [PAGE] });
    other.lock(PAGE);
  });

  it('is what a reservation keeps, and so is what is below such a directory', () => {
    const at = scratch({ files: { [PAGE]: 'one\n' } });
    const [holder, other] = [working(at), working(at)];
    const made = holder.guard('reserve', 'app/[id]/**', 'app/[xy]/**', '--reason', 'r', '--json').json();
    expect(made).toMatchObject({
      reservations: [{ path_pattern: 'app/\\[id\\]/**' }, { path_pattern: 'app/[xy]/**' }],
    });
    expect(other.guard('lock', 'try', PAGE).exit).toBe(1);
    expect(other.guard('lock', 'try', 'app/i/z').exit).toBe(0);
    expect(other.guard('lock', 'try', 'app/x/z').exit).toBe(1);
  });
});
