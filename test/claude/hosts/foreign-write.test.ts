/** Writes of clients without an adapter: reported, and denied if locks are required; never passed silently. */
import { describe, expect, it } from 'vitest';
import { type Answer, expectEnvelope, scratch } from '../driver.ts';
import { recorded } from './events.ts';

const HOSTS = ['codex', 'gemini', 'qwen', 'copilot', 'opencode'] as const;
const WRITES = /^(?:apply_patch|write_file|replace|edit|create|write|patch|multi_?edit|notebook_edit)$/;

const toolOf = (stdin: Readonly<Record<string, unknown>>): string => {
  const { tool } = (stdin['input'] ?? {}) as { tool?: unknown };
  const names = [stdin['tool_name'], stdin['toolName'], tool];
  return names.find((name): name is string => typeof name === 'string') ?? '';
};

const isBefore = (event: string): boolean =>
  /^(?:PreToolUse|BeforeTool|preToolUse|tool\.execute\.before)$/.test(event);

/** One event of each kind; opencode's other events are not hooks. */
function answers(host: string, root: string, ask: (stdin: object) => Answer) {
  const events = recorded(host, root)
    .filter(({ event }) => host !== 'opencode' || event.startsWith('tool.execute'))
    .map(({ event, stdin }) => ({ event, stdin, tool: toolOf(stdin) }));
  const kinds = new Map(events.map((one) => [`${one.event} ${one.tool}`, one]));
  return [...kinds.values()].map((one) => ({ ...one, answer: ask(one.stdin) }));
}

describe('the recorded events of', () => {
  it.each(HOSTS)('%s: every write is denied with the client and the step, everything else passes', (host) => {
    const at = scratch({ files: { 'a.txt': 'one\n' } });
    const told = answers(host, at.root, (stdin) => at.hook(stdin));
    const writes = told.filter(({ event, tool }) => isBefore(event) && WRITES.test(tool));
    expect(writes.length).toBeGreaterThan(0);
    for (const { answer, tool } of writes) {
      const plain = { ...answer, stderr: answer.stderr.replace(/^guard: /, '') };
      expect(answer.stderr.startsWith('guard: ')).toBe(host === 'qwen');
      const denial = expectEnvelope(plain);
      expect(denial).toMatchObject({ error_type: 'GUARD_ERROR', details: { code: 'GUARD_ERR_HOST' } });
      expect(denial.details['cause']).toContain(tool);
      expect(denial.recovery_hint).toContain(`init --host ${host}.`);
    }
    const others = told.filter(({ event, tool }) => !(isBefore(event) && WRITES.test(tool)));
    const patches = others.filter(({ answer }) => answer.exit !== 0);
    for (const { stdin } of patches) expect(JSON.stringify(stdin)).toContain('*** Begin Patch');
  });
});

describe('one write of another client', () => {
  const event = (root: string) => ({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    turn_id: 't',
    cwd: root,
    tool_name: 'apply_patch',
    tool_input: { command: '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n' },
    tool_use_id: 'call_1',
  });

  it('in a repository with the preset auto passes, and is told once a session', () => {
    const at = scratch({ init: ['--preset', 'auto'] });
    const [first, second] = [at.hook(event(at.root)), at.hook(event(at.root))];
    expect(first.exit).toBe(0);
    expect(JSON.parse(first.stdout)).toEqual({ systemMessage: expect.stringContaining('Codex') as string });
    expect([second.exit, second.stdout, second.stderr]).toEqual([0, '', '']);
    expect(at.hook({ ...event(at.root), session_id: 'another' }).stdout).not.toBe('');
  });

  it('in a repository that was never set up is nobody’s business', () => {
    const at = scratch({ init: null });
    expect(at.hook(event(at.root))).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });

  it('to a file of no guarded repository passes', () => {
    const at = scratch();
    const patch = `*** Begin Patch\n*** Add File: ${at.home}/notes.txt\n+x\n*** End Patch\n`;
    expect(at.hook({ ...event(at.root), tool_input: { command: patch } }).exit).toBe(0);
  });

  it('as a shell command that the client takes for a patch is one too; a command that only mentions patches is none', () => {
    const at = scratch();
    const shell = (command: string) =>
      at.hook({ ...event(at.root), tool_name: 'Bash', tool_input: { command } });
    expect(shell("apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.txt\n*** End Patch\nE").exit).toBe(
      2,
    );
    const body = "<<'E'\n*** Begin Patch\n*** Update File: a.txt\n*** End Patch\nE";
    for (const line of [
      `set -e\napply_patch ${body}`,
      `cat ${body} | apply_patch`,
      `A=1 apply_patch ${body}`,
    ])
      expect(shell(line).exit).toBe(2);
    expect(shell("cat > doc.md <<'E'\n*** Begin Patch\nE").exit).toBe(0);
    expect(shell("rg -n 'apply_patch|\\*\\*\\* Begin Patch' src").exit).toBe(0);
    expect(shell('git log --grep apply_patch # *** Begin Patch').exit).toBe(0);
    expect(shell('git apply --check x.patch').exit).toBe(0);
  });

  it.each(['write_to_file', 'str_replace_editor', 'replace_in_file', 'multi_edit', 'Create', 'applyPatch'])(
    'by a tool called %s is denied, whoever sends it',
    (tool_name) => {
      const at = scratch();
      const raw = { ...event(at.root), turn_id: undefined, tool_name, tool_input: { path: 'a.txt' } };
      expect(expectEnvelope(at.hook(raw)).details['code']).toBe('GUARD_ERR_HOST');
    },
  );

  it.each([
    'read_file',
    'list_directory',
    'run_shell_command',
    'web_fetch',
    'create_pull_request',
    'TaskCreate',
    'view',
  ])('is not what a tool called %s does', (tool_name) => {
    const at = scratch();
    expect(at.hook({ ...event(at.root), tool_name }).exit).toBe(0);
  });
});
