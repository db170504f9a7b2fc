/** Codex CLI: command lines and patches that look like something else. */
import { describe, expect, it } from 'vitest';
import { type Answer, expectEnvelope, scratch, type Scratch, working } from '../driver.ts';
import { told } from './host.ts';

const files = { 'a.txt': 'one\n', 'b.txt': 'alpha\nbeta\n' };

const patch = (...lines: readonly string[]): string =>
  ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

const codex =
  (at: Scratch) =>
  (tool_name: string, command: string): Answer =>
    told(at, 'codex', {
      ...{ session_id: 's', turn_id: 't', cwd: at.root, hook_event_name: 'PreToolUse' },
      ...{ tool_name, tool_input: { command }, tool_use_id: 'call_1' },
    });

describe('an agent of Codex', () => {
  it.each([
    ['a second document', (body: string) => `apply_patch <<'E'\n${body}E\ncat > b.txt <<'E'\nmine\nE`],
    ['a quote', (body: string) => `apply_patch '${body}' && sed -i s/beta/x/ b.txt && echo '\n'`],
    ['a double quote', (body: string) => `apply_patch "${body}" && sed -i s/beta/x/ b.txt && echo "\n"`],
  ])('does not get a command past guard behind a patch and %s', (_, line) => {
    const at = scratch({ files, init: ['--preset', 'auto'] });
    const claude = working(at);
    claude.read('b.txt');
    expect(claude.edit('b.txt', 'beta', 'BETA').pre.exit).toBe(0);
    const agent = codex(at);
    const { denial } = agent('Bash', line(patch('*** Add File: new.txt', '+x')));
    expect(denial?.error_type).toBe('LOCKED_BY_OTHER');
  });

  it('is not asked about a file whose name its shell fills in, or that another reader spells in another way', () => {
    const at = scratch({ files });
    const agent = codex(at);
    const named = (name: string): string => patch(`*** Delete File: ${name}`);
    const inShell = agent('Bash', `apply_patch "${named('$F')}"`);
    expect(expectEnvelope(inShell).details['code']).toBe('GUARD_ERR_HOST');
    for (const name of ['a.txt\u0085', 'a.txt\ufeff', ' a.txt'])
      expect(expectEnvelope(agent('apply_patch', named(name))).details['code']).toBe('GUARD_ERR_INPUT');
  });
});
