/** The requirements of the Optimistic Locking Guard, each by name, on the real hook. */
import { describe, expect, it } from 'vitest';
import { expectEnvelope, oneAgent, sha256 } from '../driver.ts';

const OLD = 'one\ntwo\n';
const NEW = 'zero\none\ntwo\n';

/** An agent that read a.txt and holds its lock; the file has been changed since. */
function stale() {
  const { at, agent } = oneAgent({ files: { 'a.txt': OLD } });
  agent.lock('a.txt');
  agent.read('a.txt');
  at.put('a.txt', NEW);
  return { at, agent };
}

describe('the Optimistic Locking Guard', () => {
  it('FR-001: the SHA-256 of a file that was read is the baseline of the turn', () => {
    const { agent } = stale();
    expect(agent.edit('a.txt', 'one', 'ONE').pre.denial?.details['baseline_hash']).toBe(
      sha256(Buffer.from(OLD)),
    );
  });

  it('FR-002: the SHA-256 of the target is taken immediately before the write', () => {
    const { at, agent } = stale();
    at.put('a.txt', 'newest\none\n');
    const { details } = expectEnvelope(agent.edit('a.txt', 'one', 'ONE').pre);
    expect(details['current_disk_hash']).toBe(sha256(Buffer.from('newest\none\n')));
  });

  it('FR-003: every modification is compared with the baseline, whichever tool makes it', () => {
    const { agent } = stale();
    const file_path = agent.scratch.path('a.txt');
    const answers = [
      agent.edit('a.txt', 'one', 'ONE').pre,
      agent.write('a.txt', 'mine\n').pre,
      agent.pre(agent.call('MultiEdit', { file_path, edits: [] })),
      agent.pre(agent.call('NotebookEdit', { notebook_path: file_path, new_source: 'x' })),
      agent.pre(agent.call('create_file', { filePath: file_path, content: 'mine\n' })),
    ];
    expect(answers.map(({ denial }) => denial?.error_type)).toEqual(Array(5).fill('STALE_FILE'));
  });

  it('FR-004, FR-005: a mismatch blocks the write and the file stays as it is', () => {
    const { at, agent } = stale();
    expect(agent.write('a.txt', 'mine\n').pre.exit).toBe(2);
    expect(at.read('a.txt')).toBe(NEW);
  });

  it('FR-006: the denial is the structured error of the specification, word for word', () => {
    const { agent } = stale();
    const denial = expectEnvelope(agent.edit('a.txt', 'one', 'ONE').pre);
    expect(denial).toMatchObject({
      error_type: 'STALE_FILE',
      message: 'File modified by another actor. Re-read required.',
      details: {
        path: agent.scratch.path('a.txt'),
        baseline_hash: sha256(Buffer.from(OLD)),
        current_disk_hash: sha256(Buffer.from(NEW)),
        cause: 'modified',
      },
      recovery_hint: "Perform a new 'read_file' to see the latest changes before attempting to write again.",
    });
  });

  it('FR-007: reading again and writing both make the baseline the content of that moment', () => {
    const { at, agent } = stale();
    agent.read('a.txt');
    expect(agent.edit('a.txt', 'one', 'ONE').post?.exit).toBe(0);
    expect(agent.edit('a.txt', 'two', 'TWO').post?.exit).toBe(0);
    expect(at.read('a.txt')).toBe('zero\nONE\nTWO\n');
  });

  it('FR-008: the check is a hook of the client, installed by guard init before every tool that writes', () => {
    const { at } = oneAgent({ fresh: true });
    const { hooks } = JSON.parse(at.read('.claude/settings.json')) as {
      hooks: { PreToolUse: { matcher: string; hooks: { command: string }[] }[] };
    };
    const group = hooks.PreToolUse.find(({ matcher }) => matcher.split('|').includes('Edit'));
    expect(group?.matcher.split('|')).toEqual(expect.arrayContaining(['Edit', 'Write', 'NotebookEdit']));
    expect(group?.hooks[0]?.command).toMatch(/\|\| \{.*exit 2; \}$/);
  });

  it('FR-009: every blocked attempt is in the ledger with the whole denial, but for what was in the file', () => {
    const { at, agent } = stale();
    const { pre, call } = agent.edit('a.txt', 'one', 'ONE');
    const { diff, ...details }: Record<string, unknown> = { ...pre.denial?.details };
    expect(diff).toContain('zero');
    const rejected = at.log('write.rejected');
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({
      agent: agent.name,
      op: call.id,
      tool: 'Edit',
      paths: ['a.txt'],
      denial: { ...pre.denial, details },
    });
  });
});
